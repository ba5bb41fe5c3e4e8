// Types of sizes.mjs.

export const SIZES: { name: string; files: string[]; aim: number; max: number }[]
export const SESSION_FILES: string[]
export function gzipped(name: string): number
