/** An error whose message is all a developer needs: printed without a stack. */
export class PlainError extends Error {}
