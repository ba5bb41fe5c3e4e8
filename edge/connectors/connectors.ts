// Lists the connectors of all platforms.

import type { Connectors } from '../domain/connector/connector.ts'
import { customerio } from './customerio.ts'
import { hubspot } from './hubspot.ts'
import { intercom } from './intercom.ts'
import { segment } from './segment.ts'
import { stripe } from './stripe.ts'

export const connectors: Connectors = { segment, stripe, hubspot, intercom, customerio }
