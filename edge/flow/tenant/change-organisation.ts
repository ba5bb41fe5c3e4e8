// Changes an organisation: its region, once; its settings, created once and changed from then on.

import { type OrganisationSettingsChange, retentionDays } from '../../../contract/resources/organisation-settings.ts'
import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { Organisation, OrganisationSettings, Retention } from '../../domain/organisation.ts'
import type { Person } from '../../domain/people/person.ts'
import type { Revised, TakesRevision } from '../../domain/tenant/revised.ts'
import { ApiError } from '../../lib/api-error.ts'
import { findFaults } from '../../lib/check-schema.ts'
import { differenceOf, isSameJson } from '../../lib/difference.ts'
import { given } from '../../lib/given.ts'
import { formatId, type IdSource } from '../../lib/id.ts'
import { changeStored } from './change-stored.ts'
import { requireRevision } from './require-revision.ts'

const DEFAULT_SETTINGS: OrganisationSettings = {
  retentionDays: 90,
  locale: 'en',
  timeZone: 'UTC',
  contactEmail: null,
}

export type ChangeOrganisation = ReturnType<typeof createChangeOrganisation>

export function createChangeOrganisation(
  deps: Pick<Core, 'organisations' | 'audit' | 'clock'> & {
    ids: { organisation: IdSource }
    /** The regions that this deployment serves and generates keys for. */
    servedRegions: readonly string[]
  },
) {
  const { organisations, clock, servedRegions } = deps

  /** Throws `request/not-found`. */
  async function get(id: number): Promise<Revised<Organisation>> {
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

  /** `former`: undefined for those that are created. @returns Undefined when the organisation was changed meanwhile. */
  async function save(
    { id, revision, retentionDays }: Revised<Organisation>,
    former: OrganisationSettings | undefined,
    change: OrganisationSettingsChange,
    by: ChangedBy,
  ): Promise<Revised<OrganisationSettings> | undefined> {
    const base = former ?? { ...DEFAULT_SETTINGS, retentionDays }
    const settings = { ...base, ...given(change) }
    const difference = differenceOf(base, settings).join('\n')
    if (former !== undefined && isSameJson(former, settings)) return { ...settings, revision }
    const entry = auditOf(id, former === undefined ? 'settings.create' : 'settings.change', by, { difference })
    const isSaved = await organisations.saveSettings(id, revision, settings, entry)
    return isSaved ? { ...settings, revision: revision + 1 } : undefined
  }

  return {
    /** Throws `request/not-found`. */
    get,

    /**
     * Creates an organisation whose onboarding is open; its first environment completes it. Without a region it may be
     * chosen later. `founder` becomes its owner; undefined: it has no member yet. Throws `request/invalid-body` for a
     * region that is not served here.
     */
    async create(name: string, region: string | null, by: ChangedBy, founder?: Person): Promise<Organisation> {
      if (region !== null) requireServed(region, servedRegions)
      return changeStored('organisation', async () => {
        const id = deps.ids.organisation.next()
        const createdAt = clock.now()
        const { retentionDays } = DEFAULT_SETTINGS
        const organisation = { id, name, region, onboardedAt: null, retentionDays, createdAt }
        const owner = founder && {
          personId: founder.id,
          audit: { ...auditOf(id, 'member.add', by, { role: 'owner' }), subject: founder.email },
        }
        await organisations.create(organisation, auditOf(id, 'org.create', by, { name, region }), owner)
        return organisation
      })
    },

    /** Throws `region/already-set` from the second time on, `request/invalid-body` for a region that is not served here. */
    async setRegion(id: number, region: string, by: ChangedBy): Promise<Organisation> {
      const organisation = await get(id)
      if (organisation.region !== null) throw new ApiError('region/already-set')
      requireServed(region, servedRegions)
      const entry = auditOf(id, 'org.set-region', by, { region, before: null })
      if (!(await organisations.setRegion(id, region, entry))) throw new ApiError('region/already-set')
      const { revision: _, ...kept } = organisation
      return { ...kept, region }
    },

    /** Undefined while there are none. */
    findSettings: (id: number): Promise<OrganisationSettings | undefined> => organisations.findSettings(id),

    /** Throws `organization-settings/already-exists` from the second time on. */
    createSettings: (
      id: number,
      change: OrganisationSettingsChange,
      by: ChangedBy,
    ): Promise<Revised<OrganisationSettings>> =>
      changeStored('organisation', async () => {
        // The revision is read first, so that everything read after it is as new, or newer.
        const organisation = await get(id)
        if ((await organisations.findSettings(id)) !== undefined) {
          throw new ApiError('organization-settings/already-exists')
        }
        return save(organisation, undefined, change, by)
      }),

    /**
     * Absent fields stay. Throws `request/not-found` while there are none, `request/conflict` where `takes` does not take
     * the revision of the organisation.
     */
    changeSettings: (
      id: number,
      change: OrganisationSettingsChange,
      by: ChangedBy,
      takes?: TakesRevision,
    ): Promise<Revised<OrganisationSettings>> =>
      changeStored('organisation', async () => {
        const organisation = await get(id)
        const entries = { organisationId: id, action: 'settings' }
        await requireRevision(deps.audit, takes, organisation, { noun: 'organisation', ...entries })
        const former = await organisations.findSettings(id)
        if (former === undefined) {
          throw new ApiError('request/not-found', {
            message: 'This organisation has no settings yet. Create them first.',
          })
        }
        return save(organisation, former, change, by)
      }),
  }
}

function requireServed(region: string, servedRegions: readonly string[]): void {
  if (servedRegions.includes(region)) return
  const message = `This deployment serves ${servedRegions.join(', ')}.`
  throw new ApiError('request/invalid-body', { message, details: [{ path: 'region', message }] })
}

export type SetRetention = (organisationId: number, days: number, audit?: AuditEntry) => Promise<boolean>

/**
 * Creates the function that sets how many days an organisation keeps details; counters stay.
 * @returns False when there is no such organisation. @throws `request/invalid-body` unless 1 to 3,650 whole days
 */
export function createSetRetention(deps: { retention: Pick<Retention, 'setDays'> }): SetRetention {
  return async function setRetention(organisationId, days, audit) {
    const details = findFaults(retentionDays, days, 'retentionDays')
    if (details.length > 0) throw new ApiError('request/invalid-body', { details })
    return deps.retention.setDays(organisationId, days, audit)
  }
}
