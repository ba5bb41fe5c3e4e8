// Keeps the environment that the page shows, so that questions can name a production environment.

export interface ShownEnvironment {
  name: string
  isProduction: boolean
}

let shown: ShownEnvironment | undefined

/** @param environment Undefined: a page outside of environments. */
export function showEnvironment(environment: ShownEnvironment | undefined): void {
  shown = environment
  const { dataset } = document.documentElement
  if (environment?.isProduction) dataset.production = ''
  else delete dataset.production
}

/** @returns The name of the shown environment when real users are in it. */
export const shownProduction = (): string | undefined => (shown?.isProduction ? shown.name : undefined)
