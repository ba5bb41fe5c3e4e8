// Decides which headers the author of a mail may set.

export const MAX_HEADERS = 20
const MAX_NAME_CHARS = 76

/** Headers that mail programs read, and that name neither a sender nor a recipient. */
const KNOWN = new Set(
  [
    ...['Comments', 'Feedback-ID', 'Importance', 'In-Reply-To', 'Keywords', 'List-Archive', 'List-Help', 'List-ID'],
    ...['List-Owner', 'List-Post', 'Organization', 'Precedence', 'Priority', 'References', 'Sensitivity'],
    ...['Thread-Index', 'Thread-Topic'],
  ].map((name) => name.toLowerCase()),
)
/** Those of providers, which would change how the mail is sent, tracked or counted. */
const OF_PROVIDERS =
  /^x-(?:ses|amz|aws|smtpapi|sg|sendgrid|mailgun|mg|pm|postmark|mj|mailjet|mailin|sib|sendinblue|brevo|resend)\b/i
const OWN = /^x-[a-z0-9]+(?:-[a-z0-9]+)*$/i

/** @returns why a header of this name cannot be set; undefined when it can */
export function findHeaderFault(name: string): string | undefined {
  const isSafe = KNOWN.has(name.toLowerCase()) || (OWN.test(name) && !OF_PROVIDERS.test(name))
  if (isSafe && name.length <= MAX_NAME_CHARS) return undefined
  return 'This header cannot be set: only names that begin with X-, but for those of providers, and some that mail programs read.'
}
