// A scripted model: what it calls, what has to come back, and how what came back leads to its next call.

import { assert } from "chai";

/**
 * @typedef {{ name: string, arguments: object }} Call
 * @typedef {{
 *   call: Call,
 *   sql: string,
 *   text: string,
 *   answer: any,
 *   sent: number,
 *   take: (pattern: RegExp) => string,
 *   description: (name: string) => string,
 * }} Said what the model has read: its last call (`sql` where it was one), the words of the answer to it (hint and
 *   message, or warning), the answer itself, how many requests it took; `take` gives the group of a pattern that these
 *   words hold, and fails where they do not
 * @typedef {(said: Said, world: import("./world.js").World) => Call} Move
 * @typedef {{
 *   move: Move,
 *   by: "itself" | "rule" | "words",
 *   before?: (world: import("./world.js").World) => unknown,
 * }} Step `by`: what leads to it, the model's own idea, a rule that the last answer states, or a name in its words;
 *   `before` happens to the engine first
 * @typedef {(answer: any, world: import("./world.js").World, said: Said) => unknown} Check
 * @typedef {{ outcome: "right" | "wrong" | "warned", check: Check }} Expectation
 * @typedef {[says: string, step: Step, expectation: Expectation]} Turn
 * @typedef {{ title: string, set: string, turns: Turn[] }} Scenario `set` is one of the world's sets of tools
 */

const SQL = "hotdata_execute_sql";

// What the model does. --------------------------------------------------------------------------------------------

/** Calls a tool. @param {string} name @param {object} [args] @returns {Step} */
export function call(name, args = {}) {
  return { move: () => ({ name, arguments: args }), by: "itself" };
}

/**
 * Runs a statement; a function reads it out of what was said, a description for one.
 *
 * @param {string | ((said: Said) => string)} statement
 * @returns {Step}
 */
export function sql(statement) {
  const move = (/** @type {Said} */ said) => {
    const text = typeof statement === "string" ? statement : statement(said);
    return { name: SQL, arguments: { sql: text } };
  };
  return { move, by: "itself" };
}

/**
 * Makes the last call again with other arguments, in which something is taken from the words of the answer.
 *
 * @param {(said: Said) => object} change
 * @returns {Step}
 */
export function again(change) {
  return { move: (said) => ({ name: said.call.name, arguments: change(said) }), by: "words" };
}

/**
 * Writes the statement anew, with something in it that is taken from the words of the answer.
 *
 * @param {(said: Said) => string} change
 * @returns {Step}
 */
export function rewrite(change) {
  return again((said) => ({ sql: change(said) }));
}

/**
 * Calls the tool that the words of the answer name.
 *
 * @param {RegExp} pattern
 * @param {(said: Said) => object} args
 * @returns {Step}
 */
export function callNamed(pattern, args) {
  return { move: (said) => ({ name: said.take(pattern), arguments: args(said) }), by: "words" };
}

/**
 * Does what the words of the answer say, which name nothing to be taken.
 *
 * @param {Move} move
 * @returns {Step}
 */
export function obey(move) {
  return { move, by: "rule" };
}

/** The same for a statement. @param {(said: Said) => string} change @returns {Step} */
export function obeyInSql(change) {
  return obey((said) => ({ name: SQL, arguments: { sql: change(said) } }));
}

/** Makes the same call once more. @returns {Step} */
export function sameAgain() {
  return obey((said) => said.call);
}

/**
 * The step, after something has happened to the engine.
 *
 * @param {(world: import("./world.js").World) => unknown} before
 * @param {Step} step
 * @returns {Step}
 */
export function after(before, step) {
  return { ...step, before };
}

/**
 * The first name that the words of the answer list as nearest, or as what there is.
 *
 * @param {Said} said
 */
export function firstListed(said) {
  return said.take(/(?:Nearest|There is|[Tt]ables)[\w ]*: ([\w.]*\w)/);
}

// What has to come back. --------------------------------------------------------------------------------------------

/**
 * These rows: as listed, or as this statement returns them that goes to the engine by itself.
 *
 * @param {object[] | string} expected
 * @param {string} [database]
 * @returns {Expectation}
 */
export function rows(expected, database) {
  return right(async (answer, world) => {
    const wanted = typeof expected === "string" ? await world.ask(expected, database) : expected;
    assert.isNotEmpty(wanted);
    assert.deepEqual(answer.rows, wanted);
  });
}

/** An answer without a warning, which is checked. @param {Check} check @returns {Expectation} */
export function right(check) {
  return told((answer, world, said) => {
    assert.isUndefined(warningOf(answer));
    return check(answer, world, said);
  });
}

/**
 * An answer that is checked, whatever is said beside it.
 *
 * @param {Check} check
 * @returns {Expectation}
 */
export function told(check) {
  return {
    outcome: "right",
    check: (answer, world, said) => {
      assert.notProperty(answer, "error");
      return check(answer, world, said);
    },
  };
}

/**
 * A failure of this code, with words of this kind.
 *
 * @param {{ code: string, message?: RegExp, hint?: RegExp }} expected
 * @returns {Expectation}
 */
export function wrong({ code, message, hint }) {
  return {
    outcome: "wrong",
    check: ({ error }) => {
      assert.exists(error, "the call should have failed");
      assert.equal(error.code, code, error.message);
      if (message) assert.match(error.message, message);
      if (hint) assert.match(error.hint ?? "(no hint)", hint);
    },
  };
}

/**
 * The same before anything has been sent to the service.
 *
 * @param {{ code?: string, message?: RegExp, hint?: RegExp }} expected
 * @returns {Expectation}
 */
export function refused({ code = "invalid_argument", ...words }) {
  const { outcome, check } = wrong({ code, ...words });
  return {
    outcome,
    check: (answer, world, said) => {
      assert.equal(said.sent, 0, "requests");
      return check(answer, world, said);
    },
  };
}

/**
 * A success with a warning of this kind.
 *
 * @param {RegExp} warning
 * @param {Check} [check]
 * @returns {Expectation}
 */
export function warned(warning, check = () => {}) {
  return {
    outcome: "warned",
    check: async (answer, world, said) => {
      assert.notProperty(answer, "error", answer.error?.message);
      assert.match(warningOf(answer) ?? "(no warning)", warning);
      await check(answer, world, said);
    },
  };
}

/** @param {any} answer @returns {string | undefined} */
function warningOf(answer) {
  return (answer.metadata ?? answer).client_warning;
}

// Playing it. --------------------------------------------------------------------------------------------------------

/**
 * Plays the turns. Whatever is wrong or warned of is followed by what the words of the answer lead to, and that is right.
 *
 * @param {Scenario} scenario
 * @param {import("./world.js").World} world
 */
export async function play({ set, turns }, world) {
  const toolset = await world.set(set);
  let said = reading({ name: "", arguments: {} }, {}, toolset, 0);
  /** @type {Expectation["outcome"]} */
  let last = "right";
  for (const [says, { move, by, before: happens }, expectation] of turns) {
    try {
      await happens?.(world);
      const taken = said.taken();
      const call = move(said, world);
      if (by === "words") {
        assert.isAbove(said.taken(), taken, "takes something from the words");
      }
      if (last !== "right") {
        assert.notEqual(by, "itself", "the last answer leads to the next call");
        assert.equal(expectation.outcome, "right", "what the answer leads to succeeds");
      }
      const before = world.sent;
      const { content, structured, isError } = await toolset.call(call.name, call.arguments);
      assert.equal(isError, expectation.outcome === "wrong", content);
      const answer = JSON.parse(content);
      assert.deepEqual(Object.keys(structured), Object.keys(answer));
      said = reading(call, answer, toolset, world.sent - before);
      await expectation.check(answer, world, said);
      last = expectation.outcome;
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      const read = JSON.stringify({ call: said.call, answer: said.answer }).slice(0, 1_500);
      throw new Error(`the model ${says}: ${words}\nlast: ${read}`, { cause: error });
    }
  }
  assert.equal(last, "right", "the last call succeeds");
}

/**
 * @param {Call} call
 * @param {any} answer
 * @param {any} toolset
 * @param {number} sent
 * @returns {Said & { taken: () => number }}
 */
function reading(call, answer, toolset, sent) {
  const { error } = answer;
  const words = [error?.hint, error?.message, warningOf(answer)];
  const text = words.filter(Boolean).join("\n");
  let taken = 0;
  return {
    call,
    sql: String(/** @type {any} */ (call.arguments).sql ?? ""),
    text,
    answer,
    sent,
    take(pattern) {
      const [, group] = pattern.exec(text) ?? [];
      assert.exists(group, `nothing says ${pattern} in: ${text}`);
      taken += 1;
      return String(group);
    },
    taken: () => taken,
    description(name) {
      const tool = toolset.tools.find((/** @type {any} */ one) => one.name === name);
      assert.exists(tool, `no tool ${name}`);
      return tool.description;
    },
  };
}
