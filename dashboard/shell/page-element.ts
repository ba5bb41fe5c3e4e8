// Base classes of pages: elements that the shell gives their context.

import { LightElement } from '../lib/light-element.ts'
import type { AppContext, PublicContext } from './context.ts'

const PROPERTY = { attribute: false }

/** A page before the sign-in. */
export abstract class PublicPage extends LightElement {
  static override properties = { context: PROPERTY }
  declare context: PublicContext
}

/** A page of an organisation. The shell makes a new element for another environment or id. */
export abstract class AppPage extends LightElement {
  static override properties = { context: PROPERTY, routeId: PROPERTY }
  declare context: AppContext
  /** The id in the path; empty for pages without one. */
  declare routeId: string
}
