// Resolves the flags of a command to an environment or an organisation.

import type { Page } from '../../contract/api.ts'
import type { Query, Routes } from '../app/operator.ts'
import type { Environment } from '../domain/environment.ts'
import type { Organisation } from '../domain/organisation.ts'
import type { Stores } from '../domain/stores.ts'
import { refuseClosed } from '../domain/tenant/closed.ts'
import { NC } from '../lib/command-line.ts'
import { formatId, parseId } from '../lib/id.ts'
import { type Flag, type Input, UsageError } from './command.ts'
import type { CommandContext } from './command-context.ts'
import { listAll } from './list-all.ts'

export const ENV: Flag = { value: 'env_…', meaning: 'The environment.', required: true }
export const ORG: Flag = { value: 'org_…', meaning: 'The organisation.', required: true }

/** Finds the environment that `--env` names. Throws a text for the operator when there is none. */
export async function getEnvironment(input: Input, stores: Stores, flag = 'env'): Promise<Environment> {
  const text = input.text(flag)
  const id = parseId('environment', text)
  if (id === undefined) throw new UsageError(`--${flag} must be the id of an environment (env_…); see: ${NC} env list`)
  const environment = await stores.environments.find(id)
  if (environment === undefined) throw new Error(`There is no environment ${text}. See: ${NC} env list`)
  return environment
}

/** Finds an environment that is served. @throws ApiError `environment/closed`, also the errors of `getEnvironment` */
export async function getOpenEnvironment(input: Input, stores: Stores, flag = 'env'): Promise<Environment> {
  const environment = await getEnvironment(input, stores, flag)
  refuseClosed(environment)
  return environment
}

export interface ListedRoutes extends Routes {
  /** Reads all pages of a list, up to `most` items. */
  list<Item>(path: string, query?: Query, most?: number): Promise<Item[]>
}

/** @returns The routes of the environment that `--env` names. Throws a text for the operator when there is none. */
export async function inEnvironment(input: Input, context: CommandContext): Promise<ListedRoutes> {
  const { stores, operator } = await context.tools()
  return listed(operator.inEnvironment(formatId('environment', (await getEnvironment(input, stores)).id)))
}

/** @returns The routes of the organisation that `--org` names. Throws a text for the operator when there is none. */
export async function inOrganisation(input: Input, context: CommandContext): Promise<ListedRoutes> {
  const { stores, operator } = await context.tools()
  return listed(operator.inOrganisation(formatId('organisation', (await getOrganisation(input, stores)).id)))
}

/** @returns The routes of who belongs to the organisation that `--org` names. Throws a text for the operator when there is none. */
export async function amongMembers(input: Input, context: CommandContext): Promise<ListedRoutes> {
  const { stores, operator } = await context.tools()
  return listed(operator.amongMembers(formatId('organisation', (await getOrganisation(input, stores)).id)))
}

export function listed({ call }: Routes): ListedRoutes {
  const list: ListedRoutes['list'] = (path, query, most) =>
    listAll(
      ({ limit, cursor }) => call<Page<never>>('get', path, { query: { ...query, limit: `${limit}`, cursor } }),
      most,
    )
  return { call, list }
}

/** Finds the organisation that `--org` names. Throws a text for the operator when there is none. */
export async function getOrganisation(input: Input, stores: Pick<Stores, 'organisations'>): Promise<Organisation> {
  const text = input.text('org')
  const id = parseId('organisation', text)
  if (id === undefined) throw new UsageError(`--org must be the id of an organisation (org_…); see: ${NC} org list`)
  const organisation = await stores.organisations.find(id)
  if (organisation === undefined) throw new Error(`There is no organisation ${text}. See: ${NC} org list`)
  return organisation
}
