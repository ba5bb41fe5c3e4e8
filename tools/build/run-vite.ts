// Runs Vite's build for environments of vite.config.ts.

import { join } from 'node:path'
import { createBuilder } from 'vite'

/**
 * @param names Environments, built one after the other.
 * @param base Where scripts find other files: `./` beside themselves, for a service below a path of its host.
 * @throws for a name that vite.config.ts does not have
 */
export async function runVite(root: string, names: string[], base = '/'): Promise<void> {
  // Under another value, Vite resolves Lit's development build, which is larger and warns on the console.
  process.env.NODE_ENV = 'production'
  const builder = await createBuilder({ configFile: join(root, 'vite.config.ts'), base }, null)
  for (const name of names) {
    const environment = builder.environments[name]
    if (environment === undefined) throw new Error(`vite.config.ts has no environment ${name}`)
    await builder.build(environment)
  }
}
