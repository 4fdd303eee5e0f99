// Base64 to bytes by the fastest way the runtime has: this is on the path of every import.

/**
 * @param {string} text base64 with padding, no whitespace
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function bytesFromBase64(text) {
  const runtime =
    /** @type {{ Uint8Array: { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }, Buffer?: { from?: (text: string, encoding: "base64") => Uint8Array<ArrayBuffer> } }} */ (
      /** @type {unknown} */ (globalThis)
    );
  if (typeof runtime.Uint8Array.fromBase64 === "function")
    return runtime.Uint8Array.fromBase64(text);
  if (typeof runtime.Buffer?.from === "function") return runtime.Buffer.from(text, "base64");
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
