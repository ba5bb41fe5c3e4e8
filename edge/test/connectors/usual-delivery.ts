// Describes a delivery of a usual type, with the event that it becomes.

import type { ConnectorPlatform } from '../../../contract/tenant.ts'

export interface UsualDelivery {
  provider: ConnectorPlatform
  /** The platform's own type, as the default mappings list it. */
  type: string
  /** Where the platform describes the shape. */
  pages: string[]
  payload: object
  event: {
    name: string
    userId: string | null
    /** Some of them. */
    properties: object
    /** ISO 8601; null: the time of receipt. */
    occurredAt: string | null
  }
  /** Fields that the user's profile has afterwards. */
  profile?: object
}
