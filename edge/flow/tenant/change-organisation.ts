// Changes an organisation: its region, once; its settings, created once and changed from then on (specification sections 2.8 and 9, contract section 11).

import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Organisation, OrganisationSettings, Organisations } from '../../domain/organisation.ts'
import { parseName } from '../../domain/tenant/parse-name.ts'
import { DEFAULT_SETTINGS, parseSettings } from '../../domain/tenant/parse-settings.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { differenceOf } from '../../lib/difference.ts'
import { formatId, type IdSource } from '../../lib/id.ts'

export interface ChangeOrganisationDeps {
  organisations: Organisations
  clock: Clock
  ids: { organisation: IdSource }
  /** Those that this deployment serves: keys are made for them. */
  regions: readonly string[]
}

export type ChangeOrganisation = ReturnType<typeof createChangeOrganisation>

export function createChangeOrganisation(deps: ChangeOrganisationDeps) {
  const { organisations, clock, regions } = deps

  /** Throws `request/not-found`. */
  async function get(id: number): Promise<Organisation> {
    const organisation = await organisations.find(id)
    if (organisation === undefined) {
      throw new ApiError('request/not-found', { message: 'There is no such organisation.' })
    }
    return organisation
  }

  function auditOf(id: number, action: string, by: ChangedBy, detail: AuditEntry['detail']): AuditEntry {
    const subject = formatId('organisation', id)
    return { at: clock.now(), ...by, action, environmentId: null, organisationId: id, subject, detail }
  }

  async function save(id: number, former: OrganisationSettings, input: unknown, once: boolean, by: ChangedBy) {
    const settings = parseSettings(input, former)
    const difference = differenceOf(former, settings).join('\n')
    const entry = auditOf(id, once ? 'settings.create' : 'settings.change', by, { difference })
    return { settings, isSaved: await organisations.saveSettings(id, settings, once, entry) }
  }

  return {
    /** Without a region it may be chosen later. Throws `request/invalid-body`. */
    async create(name: string, region: string | null, by: ChangedBy): Promise<Organisation> {
      parseName(name)
      if (region !== null) requireServed(region, regions)
      const id = deps.ids.organisation.next()
      const at = clock.now()
      const { retentionDays } = DEFAULT_SETTINGS
      const organisation = { id, name, region, onboardedAt: at, retentionDays, createdAt: at }
      await organisations.create(organisation, auditOf(id, 'org.create', by, { name, region }))
      return organisation
    },

    /** Throws `request/invalid-body` for a region that is not served here, `region/already-set` from the second time on. */
    async setRegion(id: number, region: string, by: ChangedBy): Promise<Organisation> {
      requireServed(region, regions)
      const organisation = await get(id)
      const entry = auditOf(id, 'org.set-region', by, { region })
      if (!(await organisations.setRegion(id, region, entry))) throw new ApiError('region/already-set')
      return { ...organisation, region }
    },

    /** Undefined while there are none. */
    findSettings: (id: number): Promise<OrganisationSettings | undefined> => organisations.findSettings(id),

    /** Throws `request/invalid-body`, and `organization-settings/already-exists` from the second time on. */
    async createSettings(id: number, input: unknown, by: ChangedBy): Promise<OrganisationSettings> {
      const { retentionDays } = await get(id)
      const { settings, isSaved } = await save(id, { ...DEFAULT_SETTINGS, retentionDays }, input, true, by)
      if (!isSaved) throw new ApiError('organization-settings/already-exists')
      return settings
    },

    /** What is absent stays. Throws `request/not-found` while there are none. */
    async changeSettings(id: number, input: unknown, by: ChangedBy): Promise<OrganisationSettings> {
      await get(id)
      const former = await organisations.findSettings(id)
      const saved = former && (await save(id, former, input, false, by))
      if (saved?.isSaved !== true) {
        throw new ApiError('request/not-found', {
          message: 'This organisation has no settings yet. Create them first.',
        })
      }
      return saved.settings
    },
  }
}

function requireServed(region: string, regions: readonly string[]): void {
  if (regions.includes(region)) return
  const message = `This deployment serves ${regions.join(', ')}.`
  throw new ApiError('request/invalid-body', { message, details: [{ path: 'region', message }] })
}
