// What the system refuses at a start, in words that name the setting behind it (contract section 12).

const LISTENING: Record<string, string> = {
  EADDRINUSE: 'PORT is taken: another process listens there.',
  EACCES: 'PORT cannot be listened on by this account.',
  EADDRNOTAVAIL: 'HOST is no address of this machine.',
  ENOTFOUND: 'HOST is no address, and no name that has one.',
}

/** The error as it is where no setting is behind it. */
export function explainStart(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return error
  const { code, syscall, message } = error
  const words = /^(listen|bind|getaddrinfo)$/.test(String(syscall)) ? LISTENING[String(code)] : undefined
  if (words !== undefined) return new Error(`${words} (${message})`, { cause: error })
  return error
}
