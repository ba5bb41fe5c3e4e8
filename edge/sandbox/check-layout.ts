// Checks layouts of mails in a sandbox: one takes up to a second, and is written by a customer.

import { TemplateError, type TemplateFault } from '../campaign/expression/template.ts'
import { tenantOfOrganisation } from '../domain/organisation.ts'
import type { Sandbox } from './sandbox.ts'
import type { Tasks } from './tasks.ts'

/**
 * Creates the check of a layout of an organisation. It returns the fault, null without one; a layout that ends its process
 * has the fault that it did. It throws BusyError when too much work of the organisation waits.
 */
export function createCheckLayout(sandbox: Sandbox) {
  return async function checkLayout(
    organisationId: number,
    layout: Tasks['check-layout']['input'],
  ): Promise<TemplateFault | null> {
    try {
      return await sandbox.run(tenantOfOrganisation(organisationId), 'check-layout', layout)
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      return { message: error.message }
    }
  }
}
