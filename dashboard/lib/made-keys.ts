// Hands the keys of new environments, which are shown once, from the page that made them to the page that shows them.

import type { CreatedEnvironment } from '../../contract/resources/environment.ts'

/** With its keys. */
export type MadeEnvironment = Pick<CreatedEnvironment, 'id' | 'name' | 'host' | 'organisation' | 'secrets'>

let made: readonly MadeEnvironment[] = []

export function handOverKeys(environments: readonly MadeEnvironment[]): void {
  made = environments
}

/** @returns Those of the organisation, once. */
export function takeKeys(org: string): readonly MadeEnvironment[] {
  const taken = made.filter(({ organisation }) => organisation === org)
  made = []
  return taken
}
