// Types of chromium.mjs.

export const CHROMIUM_FLAGS: string[]
export function findChromium(options?: {
  env?: Record<string, string | undefined>
  say?: (line: string) => void
}): Promise<string>
export function findInPlaces(env: Record<string, string | undefined>, places?: string[]): string | undefined
