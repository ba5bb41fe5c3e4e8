// Finds how the mails of an environment go: by an integration, by the server, to the mailbox, or nowhere.

import type { MailWay } from '../../../contract/tenant.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import { formatId } from '../../lib/id.ts'

export type FindMailWay = (environment: Pick<Environment, 'id' | 'isProduction'>) => Promise<MailWay>

/** Nobody reads the mailbox in production: there a mail without a server is not sent. */
export function createFindMailWay({
  mailIntegrations,
  hasOwnSender,
  isOfDemo,
}: Pick<Core, 'mailIntegrations'> & {
  /** Whether the server itself sends mails of environments without an integration. */
  hasOwnSender: boolean
  /** Whether the environment belongs to the demo, whose mails stay in the mailbox. */
  isOfDemo(environmentId: string): Promise<boolean>
}): FindMailWay {
  return async function findMailWay({ id, isProduction }) {
    if ((await mailIntegrations.listOf(id)).length > 0) return 'integration'
    if (hasOwnSender) return 'server'
    return isProduction && !(await isOfDemo(formatId('environment', id))) ? 'none' : 'mailbox'
  }
}
