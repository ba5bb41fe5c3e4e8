// Tries the mail server of SMTP_URL for `nc doctor` and for a start: connection, encryption and login.

import type { Settings } from '../../config.ts'
import { type MailServerFault, tryMailServer } from '../../email/providers/try-mail-server.ts'
import { placeOf } from './explain-fault.ts'
import { type Finding, finding } from './finding.ts'

const REMEDIES: Record<MailServerFault['kind'], string> = {
  address: 'OUTBOUND_ALLOW must contain its address, such as 10.1.2.3/32.',
  'no-starttls':
    'It offers no STARTTLS: a relay on this machine or in a network that you trust needs ?tls=none in SMTP_URL, one that encrypts from the start needs smtps:.',
  other: 'Correct SMTP_URL, or look at the server.',
}

/** @returns No finding without SMTP_URL. Never throws. */
export async function checkMailServer({
  smtpUrl,
  outboundAllow,
}: Pick<Settings, 'smtpUrl' | 'outboundAllow'>): Promise<Finding[]> {
  if (smtpUrl === null) return []
  const place = `The mail server at ${placeOf(smtpUrl)}`
  const fault = await tryMailServer(smtpUrl, { allow: outboundAllow })
  if (fault === null) return [finding('Mail server', 'ok', `${place} answers and takes the login.`)]
  return [finding('Mail server', 'wrong', `${place} takes no mails. ${fault.words} ${REMEDIES[fault.kind]}`)]
}
