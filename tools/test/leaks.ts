// Finds secrets and e-mail addresses in program output. Its patterns are independent of the log's scrubbing, so that it also finds
// what the scrubbing misses.

/** Position of a leak, never its value. */
export interface Leak {
  /** Name of the output. */
  source: string
  /** Line, from 1. */
  line: number
  kind: string
}

/** Patterns of secrets. Front API keys are not among them, because they are public. */
const PATTERNS: [kind: string, pattern: RegExp][] = [
  ['sdkSecretKey', /nc_sdk_[a-z0-9-]+_[A-Za-z0-9_-]{8}/],
  ['authSecretKey', /nc_auth_[a-z0-9-]+_[A-Za-z0-9_-]{8}/],
  ['session of the dashboard', /nc_(dash|chal|device)_[A-Za-z0-9_-]{8}/],
  ['webhookSigningSecret', /whsec_[A-Za-z0-9+/_-]{16}/],
  ['JSON Web Token', /eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6}/],
  ['backend token v2', /\bv2\.\d{9,}\.[0-9A-Fa-f]{16}/],
  ['backend token', /(?<![0-9A-Za-z])[0-9A-Fa-f]{64}(?![0-9A-Za-z])/],
  // 32 bytes; the hash in an integrity attribute of a page has the same form.
  ['master key', /(?<![A-Za-z0-9+/]|sha256-)[A-Za-z0-9+/]{43}=(?!=)/],
  ['private key', /"d"\s*:\s*"[A-Za-z0-9_-]{32}|-----BEGIN [A-Z ]*PRIVATE KEY/],
  ['password in an address', /\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@"']*:[^\s:/@"']+@/],
  ['e-mail address', /[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}/],
]

/** Reads one output in chunks of any size. */
export interface OutputReader {
  write(chunk: string): void
  /** Reads the last line, which has no line end. */
  end(): void
  /** Number of complete lines so far. */
  lines(): number
}

export function createOutputReader(source: string, onLeak: (leak: Leak) => void): OutputReader {
  let rest = ''
  let line = 0
  function read(text: string): void {
    line += 1
    for (const [kind, pattern] of PATTERNS) if (pattern.test(text)) onLeak({ source, line, kind })
  }
  return {
    write(chunk) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const text of lines) read(text)
    },
    end() {
      if (rest !== '') read(rest)
      rest = ''
    },
    lines: () => line,
  }
}

/** Returns all leaks of a complete output. */
export function findLeaks(source: string, output: string): Leak[] {
  const leaks: Leak[] = []
  const reader = createOutputReader(source, (leak) => leaks.push(leak))
  reader.write(output)
  reader.end()
  return leaks
}

/** Describes a leak in one line. */
export function describeLeak({ source, line, kind }: Leak): string {
  return `${source}, line ${line}: what looks like a ${kind}`
}
