// Defines what the shell gives to each page.

import type { ListedEnvironment } from '../../contract/resources/environment.ts'
import type { Me, OwnOrganisation } from '../../contract/resources/own-account.ts'
import type { Role } from '../../contract/role.ts'
import type { AccountApi } from '../api/account.ts'
import type { EnvironmentApi } from '../api/environment.ts'
import type { OrganisationApi } from '../api/organisation.ts'
import type { PeopleApi } from '../api/people.ts'
import type { SourcesApi } from '../api/sources.ts'
import type { TenantApi } from '../api/tenant.ts'
import type { Router } from '../routing/router.ts'
import type { PageName } from '../routing/routes.ts'

/** For pages before the sign-in. */
export interface PublicContext {
  people: PeopleApi
  router: Router
  /** The query of the address. */
  query: URLSearchParams
  /** Keeps the person, and goes on. @param next An address in place of the page that was asked for. */
  signedIn(me: Me, next?: string): Promise<void>
}

/** For pages of an organisation. */
export interface AppContext extends PublicContext {
  me: Me
  org: OwnOrganisation
  environments: readonly ListedEnvironment[]
  environment: ListedEnvironment
  /** Calls below the environment. */
  api: EnvironmentApi
  /** Calls of the environment's sources. */
  sources: SourcesApi
  /** Calls of the own account. */
  account: AccountApi
  /** Calls of the organisation. */
  organisation: OrganisationApi
  /** Calls of the organisation's environments, secrets and notification configs. */
  tenant: TenantApi
  /** Reads the environments again, after one was created or changed. */
  reloadEnvironments(): Promise<void>
  /** @returns The address of a page in this environment. */
  link(page: PageName, id?: string, query?: Readonly<Record<string, string>>): string
  /** Shows a short message, which screen readers announce. @param undo Takes back what it reports. */
  notify(text: string, undo?: () => Promise<void>): void
  /** Puts the name of what is shown into the title of the document. */
  setTitle(title: string): void
  /** @returns Whether the person's role in the organisation includes this one. */
  may(role: Role): boolean
  signOut(): Promise<void>
}
