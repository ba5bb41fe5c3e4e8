// Lists the connectors of all platforms.

import type { Connectors } from '../domain/connector/connector.ts'
import { customerio } from './customerio.ts'
import { hmac } from './hmac.ts'
import { hubspot } from './hubspot.ts'
import { intercom } from './intercom.ts'
import { segment } from './segment.ts'
import { standardwebhooks } from './standardwebhooks.ts'
import { stripe } from './stripe.ts'

export const connectors: Connectors = { segment, stripe, hubspot, intercom, customerio, hmac, standardwebhooks }
