// Refuses a start with less memory than the service needs: it would stall for minutes, and be killed in the end.

const MIB = 1024 * 1024
const LEAST_MIB = 256
const WANTED_MIB = 512

/** @param limitBytes What the process may use; 0 or undefined: not known. @throws Error for the operator. */
export function confirmMemory(limitBytes: number | undefined): void {
  if (limitBytes === undefined || limitBytes === 0 || limitBytes >= LEAST_MIB * MIB) return
  const given = Math.floor(limitBytes / MIB)
  throw new Error(
    `This process may use ${given} MiB of memory, and needs ${LEAST_MIB} MiB at least. Give it ${WANTED_MIB} MiB, such as by docker run --memory ${WANTED_MIB}m.`,
  )
}
