// Declares the types of run-build.mjs, which runs without a compiler.

export function runBuild(parts: string[], stop: AbortSignal): Promise<number | null>
