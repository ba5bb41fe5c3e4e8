// Measures the processor time of work, such that a slow or busy machine does not change the figure.

/** What `readTexts` takes on the machine on which the limits of tests were set. */
const USUAL_MS = 35

/** Reads, replaces and sorts texts, as the code under test does. */
function readTexts(): number {
  let length = 0
  for (let at = 0; at < 60; at++) {
    const text = `<a href="/${at}?b=c">{{ d }}</a> `.repeat(400)
    const words = text.split(/[\s"]+/)
    length += words.sort().length + text.replace(/[a-z]+=/g, (name) => name.toUpperCase()).length
  }
  return length
}

function begin(): () => number {
  const from = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(from)
    return (user + system) / 1000
  }
}

function usualWorkMs(): number {
  const end = begin()
  readTexts()
  return end()
}

/**
 * Measures work beside a known piece of work, before and after it.
 * @returns Milliseconds of processor time that the work takes where the known piece takes its usual time
 */
export async function processorMs(work: () => unknown): Promise<number> {
  // Once before, because it is compiled meanwhile.
  usualWorkMs()
  const before = usualWorkMs()
  const end = begin()
  await work()
  const ms = end()
  return (ms * USUAL_MS) / Math.max(before, usualWorkMs())
}
