// Keeps the person who is signed in, with the environments of each organisation.

import type { ListedEnvironment } from '../../contract/resources/environment.ts'
import type { Me } from '../../contract/resources/own-account.ts'
import type { PeopleApi } from '../api/people.ts'
import { keepEnvironment, keptEnvironment } from '../lib/kept-environment.ts'

export interface Session {
  readonly me: Me | undefined
  /** @throws ApiFailure `auth/unauthenticated` without a session. */
  load(): Promise<Me>
  keep(me: Me): void
  clear(): void
  /** Reads them once; a failed read is repeated by the next call, and one that lacks a wanted environment at once. */
  environments(org: string, wanted?: string | null): Promise<readonly ListedEnvironment[]>
  /** The next call of `environments` reads them again. */
  forgetEnvironments(org: string): void
}

export function createSession(people: PeopleApi): Session {
  let me: Me | undefined
  const byOrganisation = new Map<string, Promise<readonly ListedEnvironment[]>>()
  return {
    get me() {
      return me
    },
    async load() {
      me ??= await people.me()
      return me
    },
    keep(signedIn) {
      me = signedIn
    },
    clear() {
      me = undefined
      byOrganisation.clear()
    },
    async environments(org, wanted = null) {
      const known = await byOrganisation.get(org)
      // It may be newer than what was read.
      if (known !== undefined && (wanted === null || known.some(({ id }) => id === wanted))) return known
      const read = people.environments(org).then(({ data }) => data)
      byOrganisation.set(org, read)
      read.catch(() => byOrganisation.delete(org))
      return read
    },
    forgetEnvironments(org) {
      byOrganisation.delete(org)
    },
  }
}

/**
 * @param wanted The environment in the address.
 * @returns That one, else the one that was used last, else the one with the newest event, else one that is not in
 * production, else the first; undefined when there is none.
 */
export function chooseEnvironment(
  environments: readonly ListedEnvironment[],
  org: string,
  wanted: string | null,
): ListedEnvironment | undefined {
  const find = (id: string | null | undefined) => environments.find((one) => one.id === id)
  const first = () => environments.find(({ isProduction }) => !isProduction) ?? environments[0]
  const chosen = find(wanted) ?? find(keptEnvironment(org)) ?? newestInUse(environments) ?? first()
  if (chosen !== undefined) keepEnvironment(org, chosen.id)
  return chosen
}

/** Instants in ISO 8601 are in the order of their texts. */
function newestInUse(environments: readonly ListedEnvironment[]): ListedEnvironment | undefined {
  const used = environments.filter(({ lastEventAt }) => lastEventAt !== null)
  return used.toSorted((one, other) => ((one.lastEventAt ?? '') < (other.lastEventAt ?? '') ? 1 : -1))[0]
}
