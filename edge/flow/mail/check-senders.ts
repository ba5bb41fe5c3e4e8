// Checks when a campaign is saved that its mails name senders of their notification config or of an integration.

import type { ErrorDetail } from '../../../contract/errors.ts'
import type { CampaignDefinition } from '../../campaign/definition.ts'
import { readSender } from '../../campaign/steps/mail-envelope.ts'
import type { Core } from '../../domain/core.ts'
import { ApiError } from '../../lib/api-error.ts'
import { parseId } from '../../lib/id.ts'
import { listSenders } from './list-senders.ts'

/** @throws `campaign/invalid-definition` for a sender that no config and no integration has */
export type CheckSenders = (environmentId: number, definition: CampaignDefinition) => Promise<void>

export function createCheckSenders(deps: Pick<Core, 'environments' | 'configs' | 'mailIntegrations'>): CheckSenders {
  return async function checkSenders(environmentId, { steps, notificationConfigId }) {
    const named = findNamed(steps, 'steps')
    if (named.length === 0) return
    const environment = await deps.environments.find(environmentId)
    const configId = parseId('notificationConfig', notificationConfigId ?? '') ?? environment?.notificationConfigId
    const config = configId == null ? undefined : await deps.configs.find(configId)
    const integrations = await deps.mailIntegrations.listOf(environmentId)
    const known = new Set(
      listSenders(
        config?.email,
        integrations.map(({ from }) => from),
      ),
    )
    const message = 'This is a sender neither of the notification config nor of an integration.'
    const details = named.flatMap(({ path, address }): ErrorDetail[] => (known.has(address) ? [] : [{ path, message }]))
    if (details.length > 0) throw new ApiError('campaign/invalid-definition', { details })
  }
}

/** Finds the steps with a sender, in all lists of steps. */
function findNamed(value: unknown, path: string): { path: string; address: string }[] {
  if (Array.isArray(value)) return value.flatMap((item, place) => findNamed(item, `${path}[${place}]`))
  if (typeof value !== 'object' || value === null) return []
  const { type, from, branches, then, onTimeout, steps } = value as Record<string, unknown>
  const sender = type === 'email' && typeof from === 'string' ? readSender(from) : undefined
  const own = sender === undefined ? [] : [{ path: `${path}.from`, address: sender.address.toLowerCase() }]
  const inner = Object.entries({ branches, then, onTimeout, steps })
  return [...own, ...inner.flatMap(([key, list]) => findNamed(list, `${path}.${key}`))]
}
