// Runs one suite over all ports of the store, for every engine and driver.

import { describe } from 'vitest'
import { arrivalsSuite } from './suite/arrivals.suite.ts'
import { engagementSuite } from './suite/engagement.suite.ts'
import { enricherSuite } from './suite/enricher.suite.ts'
import { fairClaimsSuite } from './suite/fair-claims.suite.ts'
import { gatesSuite } from './suite/gates.suite.ts'
import type { OpenStores } from './suite/given.ts'
import { haltedSuite } from './suite/halted.suite.ts'
import { historySuite } from './suite/history.suite.ts'
import { inboxSuite } from './suite/inbox.suite.ts'
import { jobsSuite } from './suite/jobs.suite.ts'
import { persistenceSuite } from './suite/persistence.suite.ts'
import { randomSuite } from './suite/random.suite.ts'
import { recipientsSuite } from './suite/recipients.suite.ts'
import { retentionSuite } from './suite/retention.suite.ts'
import { sendingSuite } from './suite/sending.suite.ts'
import { tenantsSuite } from './suite/tenants.suite.ts'
import { timersSuite } from './suite/timers.suite.ts'
import { trackingSuite } from './suite/tracking.suite.ts'
import { usersSuite } from './suite/users.suite.ts'
import { waitsSuite } from './suite/waits.suite.ts'
import { windowsSuite } from './suite/windows.suite.ts'

export function storeSuite(name: string, open: OpenStores): void {
  describe(name, () => {
    trackingSuite(open)
    jobsSuite(open)
    waitsSuite(open)
    arrivalsSuite(open)
    usersSuite(open)
    gatesSuite(open)
    windowsSuite(open)
    recipientsSuite(open)
    inboxSuite(open)
    engagementSuite(open)
    tenantsSuite(open)
    persistenceSuite(open)
    enricherSuite(open)
    historySuite(open)
    randomSuite(open)
    retentionSuite(open)
    sendingSuite(open)
    fairClaimsSuite(open)
    timersSuite(open)
    haltedSuite(open)
  })
}
