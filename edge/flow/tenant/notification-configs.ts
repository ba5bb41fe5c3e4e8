// Manages the notification configs of an organisation, and checks which of them a campaign may name.

import type {
  ConfigAnswer,
  EmailLook,
  NotificationConfigContent,
} from '../../../contract/resources/notification-config.ts'
import type { LayoutFormat } from '../../../contract/tenant.ts'
import type { TemplateFault } from '../../campaign/expression/template.ts'
import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { ConfigUses, NotificationConfig, NotificationConfigs } from '../../domain/tenant/notification-config.ts'
import { nameTaken } from '../../domain/tenant/parse-name.ts'
import type { Revised, TakesRevision } from '../../domain/tenant/revised.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { encodeCursor, parseCursor } from '../../lib/cursor.ts'
import { differenceOf, isSameJson } from '../../lib/difference.ts'
import { formatId, type IdSource, parseId } from '../../lib/id.ts'
import { changeStored } from './change-stored.ts'
import { requireRevision } from './require-revision.ts'

export interface CheckedLayout {
  layout: string
  layoutFormat: LayoutFormat
}

/** Checks a layout of an organisation. @throws BusyError when too much of its work waits */
export type CheckLayoutOf = (organisationId: number, layout: CheckedLayout) => Promise<TemplateFault | null>

export type ManageConfigs = ReturnType<typeof createManageConfigs>

/** In the answer that refuses a name. */
const NOUN = 'notification config of this organisation'
const listOf = (organisationId: number) => ({ list: 'configs', of: organisationId })
/** Characters of a difference that the audit log keeps. */
const DIFFERENCE_CHARS = 4000

export function createManageConfigs({
  configs,
  audit,
  clock,
  ids,
  checkLayout,
}: Pick<Core, 'configs' | 'audit' | 'clock'> & {
  ids: { notificationConfig: IdSource }
  checkLayout: CheckLayoutOf
}) {
  function auditOf(config: NotificationConfig, verb: string, by: ChangedBy, detail: AuditEntry['detail']): AuditEntry {
    const { id, organisationId } = config
    const subject = formatId('notificationConfig', id)
    const at = config.updatedAt
    return { at, ...by, action: `config.${verb}`, environmentId: null, organisationId, subject, detail }
  }

  return {
    /** Throws the 404s of `getConfig`. */
    get: async (organisationId: number, configId: string) =>
      toAnswer(await getConfig(configs, organisationId, configId)),

    /** Returns the number of a config of the organisation. Throws as `get` does. */
    numberOf: async (organisationId: number, configId: string) =>
      (await getConfig(configs, organisationId, configId)).id,

    async list(organisationId: number, { cursor, limit }: { cursor?: string | undefined; limit: number }) {
      const name = listOf(organisationId)
      const page = await configs.list(organisationId, parseCursor(name, cursor), limit + 1)
      const last = page.length > limit ? page[limit - 1] : undefined
      const nextCursor = last === undefined ? null : encodeCursor(name, last.id)
      return { data: page.slice(0, limit).map(toAnswer), nextCursor }
    },

    /** Throws `request/invalid-body` for a layout that fails; `request/conflict` when the organisation has one of that name. */
    async create(organisationId: number, given: NotificationConfigContent, by: ChangedBy): Promise<ConfigAnswer> {
      const content = shownOf(given)
      await requireLayout(checkLayout, organisationId, content.email)
      return changeStored('notification config', async () => {
        const at = clock.now()
        const config = { id: ids.notificationConfig.next(), organisationId, ...content, createdAt: at, updatedAt: at }
        const { name } = content
        if (!(await configs.insertOnce(config, auditOf(config, 'create', by, { name })))) throw nameTaken(NOUN)
        return toAnswer({ ...config, revision: 0 })
      })
    },

    /**
     * Replaces name and content: absent fields get their defaults. Throws as `get` and `create` do, and
     * `request/conflict` where `takes` does not take the stored revision.
     */
    async put(
      organisationId: number,
      configId: string,
      given: NotificationConfigContent,
      by: ChangedBy,
      takes?: TakesRevision,
    ): Promise<ConfigAnswer> {
      const content = shownOf(given)
      let isChecked = false
      return changeStored('notification config', async () => {
        const former = await getConfig(configs, organisationId, configId)
        await requireRevision(audit, takes, former, { noun: 'notification config', ...entriesOf(former) })
        if (!isChecked) await requireLayout(checkLayout, organisationId, content.email)
        isChecked = true
        const config = { ...former, ...content, updatedAt: clock.now() }
        const difference = differenceOf(shownOf(former), shownOf(config)).join('\n').slice(0, DIFFERENCE_CHARS)
        if (isSameJson(shownOf(former), shownOf(config))) return toAnswer(former)
        const result = await configs.save(config, auditOf(config, 'change', by, { difference }))
        if (result === 'taken') throw nameTaken(NOUN)
        return result === 'saved' ? toAnswer({ ...config, revision: config.revision + 1 }) : undefined
      })
    },

    /** Throws as `get` does, and `request/conflict` while something names the config, or as `put` does for `takes`. */
    async remove(
      organisationId: number,
      configId: string,
      by: ChangedBy,
      takes?: TakesRevision,
    ): Promise<{ deleted: true }> {
      return changeStored('notification config', async () => {
        const config = await getConfig(configs, organisationId, configId)
        await requireRevision(audit, takes, config, { noun: 'notification config', ...entriesOf(config) })
        const entry = { ...auditOf(config, 'delete', by, { name: config.name }), at: clock.now() }
        const uses = await configs.remove(config, entry)
        if (uses === 'changed') return undefined
        refuseUsed(uses)
        return { deleted: true as const }
      })
    },
  }
}

/** Throws `notification/config-not-found`, or another 404 for a config of another organisation. */
export async function getConfig(
  configs: Pick<NotificationConfigs, 'find'>,
  organisationId: number,
  configId: string,
): Promise<Revised<NotificationConfig>> {
  const id = parseId('notificationConfig', configId)
  const config = id === undefined ? undefined : await configs.find(id)
  if (config === undefined) throw new ApiError('notification/config-not-found')
  if (config.organisationId !== organisationId) {
    throw new ApiError('authorization/unauthorizedConfigIdForOrganisation')
  }
  return config
}

/** Creates the check that an environment may name a config. It returns the config's number, or throws the 404s of `getConfig`. */
export function createCheckConfig(deps: Pick<Core, 'configs' | 'environments'>) {
  return async function checkConfig(environmentId: number, configId: string): Promise<number> {
    const environment = await deps.environments.find(environmentId)
    if (environment === undefined) throw new ApiError('notification/config-not-found')
    return (await getConfig(deps.configs, environment.organisationId, configId)).id
  }
}

function refuseUsed({ environments, campaigns }: ConfigUses): void {
  const users = [
    ...environments.map((name) => `the environment ${name}`),
    ...campaigns.map((key) => `the campaign ${key}`),
  ]
  if (users.length === 0) return
  throw new ApiError('request/conflict', {
    message: 'Environments or campaigns name this notification config. Let them name another one, or none, first.',
    details: users.map((user) => ({ path: '', message: `It is named by ${user}.` })),
  })
}

/** Compiles the layout of a look as it is compiled when a mail is sent. @throws `request/invalid-body`, and BusyError */
export async function requireLayout(
  checkLayout: CheckLayoutOf,
  organisationId: number,
  { layout, layoutFormat }: EmailLook,
): Promise<void> {
  const fault = layout === null ? null : await checkLayout(organisationId, { layout, layoutFormat })
  if (fault === null) return
  const { message, position } = fault
  const detail = { path: 'email.layout', message, ...(position !== undefined && { position }) }
  throw new ApiError('request/invalid-body', { details: [detail] })
}

/** Where the audit log has the changes of a config. */
const entriesOf = ({ id, organisationId }: NotificationConfig) => ({
  organisationId,
  action: 'config',
  subject: formatId('notificationConfig', id),
})

type Shown = 'name' | 'categories' | 'widget' | 'email' | 'siteUrl'
const shownOf = ({ name, categories, widget, email, siteUrl }: Pick<NotificationConfig, Shown>) => ({
  name,
  categories,
  widget,
  email,
  siteUrl,
})

function toAnswer(config: Revised<NotificationConfig>): ConfigAnswer {
  const { id, revision, createdAt, updatedAt } = config
  const times = { createdAt: toIso(createdAt), updatedAt: toIso(updatedAt) }
  return { id: formatId('notificationConfig', id), ...shownOf(config), revision, ...times }
}
