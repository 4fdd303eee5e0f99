// The shapes of a toolset are what each provider's own types take. Compiled, never run.

import type {
  Tool as AnthropicSdkTool,
  MessageCreateParams,
} from "@anthropic-ai/sdk/resources/messages";
import type { FunctionDeclaration } from "@google/genai";
import type { Tool as McpSdkTool } from "@modelcontextprotocol/sdk/types.js";
import type { ChatCompletionTool } from "openai/resources/chat/completions";
import type { FunctionTool } from "openai/resources/responses/responses";
import type { Toolset } from "../../dist/index.js";

export function taken(toolset: Toolset) {
  const responses: FunctionTool[] = toolset.openai();
  const chat: ChatCompletionTool[] = toolset.openaiChat({ strict: true });
  const anthropic: AnthropicSdkTool[] = toolset.anthropic();
  const request: MessageCreateParams["tools"] = toolset.anthropic({ strict: true });
  const gemini: FunctionDeclaration[] = toolset.gemini();
  const jsonSchema: FunctionDeclaration[] = toolset.gemini({ jsonSchema: true });
  const mcp: McpSdkTool[] = toolset.mcp({ outputSchema: true });
  // @ts-expect-error the shape of the other API
  const wrong: FunctionTool[] = toolset.openaiChat();
  // @ts-expect-error no such option
  toolset.gemini({ strict: true });
  return { responses, chat, anthropic, request, gemini, jsonSchema, mcp, wrong };
}
