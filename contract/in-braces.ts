// Finds names in braces, such as `{domain}`, in whose place a person puts values.

export const IN_BRACES = /\{(\w+)\}/g

/** @returns The names in braces that a text still has. */
export function namesInBraces(text: string): string[] {
  return [...text.matchAll(IN_BRACES)].map(([, name]) => name as string)
}
