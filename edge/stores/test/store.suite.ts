// Runs one suite over all ports of the store, for every engine and driver.

import { describe } from 'vitest'
import { arrivalsSuite } from './arrivals.suite.ts'
import { auditSuite } from './audit.suite.ts'
import { campaignsSuite } from './campaigns.suite.ts'
import { deliveryBodiesSuite } from './delivery-bodies.suite.ts'
import { doubtsSuite } from './doubts.suite.ts'
import { endingSecretsSuite } from './ending-secrets.suite.ts'
import { engagementSuite } from './engagement.suite.ts'
import { enricherSuite } from './enricher.suite.ts'
import { eventNamesSuite } from './event-names.suite.ts'
import { fairClaimsSuite } from './fair-claims.suite.ts'
import { gatesSuite } from './gates.suite.ts'
import type { OpenStores } from './given.ts'
import { givenUpSuite } from './given-up.suite.ts'
import { haltedSuite } from './halted.suite.ts'
import { heldMailSuite } from './held-mail.suite.ts'
import { historySuite } from './history.suite.ts'
import { inboxSuite } from './inbox.suite.ts'
import { invitationsSuite } from './invitations.suite.ts'
import { jobsSuite } from './jobs.suite.ts'
import { mailSuite } from './mail.suite.ts'
import { mailClaimsSuite } from './mail-claims.suite.ts'
import { mailFetchesSuite } from './mail-fetches.suite.ts'
import { mailIntegrationSuite } from './mail-integration.suite.ts'
import { mailLayoutSuite } from './mail-layout.suite.ts'
import { mailRandomSuite } from './mail-random.suite.ts'
import { mailReportsSuite } from './mail-reports.suite.ts'
import { mailboxSuite } from './mailbox.suite.ts'
import { passkeysSuite } from './passkeys.suite.ts'
import { pausedMailSuite } from './paused-mail.suite.ts'
import { peopleSuite } from './people.suite.ts'
import { persistenceSuite } from './persistence.suite.ts'
import { quietMailSuite } from './quiet-mail.suite.ts'
import { randomSuite } from './random.suite.ts'
import { readsSuite } from './reads.suite.ts'
import { recipientsSuite } from './recipients.suite.ts'
import { retentionSuite } from './retention.suite.ts'
import { secondFactorSuite } from './second-factor.suite.ts'
import { sendingSuite } from './sending.suite.ts'
import { signOnSuite } from './sign-on.suite.ts'
import { sourcesSuite } from './sources.suite.ts'
import { tenantsSuite } from './tenants.suite.ts'
import { textFileSuite } from './text-file.suite.ts'
import { timersSuite } from './timers.suite.ts'
import { trackingSuite } from './tracking.suite.ts'
import { usersSuite } from './users.suite.ts'
import { waitingSuite } from './waiting.suite.ts'
import { waitsSuite } from './waits.suite.ts'
import { windowsSuite } from './windows.suite.ts'

export function storeSuite(name: string, open: OpenStores): void {
  describe(name, () => {
    waitingSuite(open)
    trackingSuite(open)
    jobsSuite(open)
    endingSecretsSuite(open)
    waitsSuite(open)
    givenUpSuite(open)
    mailSuite(open)
    mailClaimsSuite(open)
    mailReportsSuite(open)
    mailFetchesSuite(open)
    mailRandomSuite(open)
    mailLayoutSuite(open)
    mailboxSuite(open)
    heldMailSuite(open)
    pausedMailSuite(open)
    quietMailSuite(open)
    arrivalsSuite(open)
    usersSuite(open)
    campaignsSuite(open)
    readsSuite(open)
    auditSuite(open)
    gatesSuite(open)
    windowsSuite(open)
    recipientsSuite(open)
    inboxSuite(open)
    engagementSuite(open)
    tenantsSuite(open)
    peopleSuite(open)
    invitationsSuite(open)
    secondFactorSuite(open)
    passkeysSuite(open)
    signOnSuite(open)
    persistenceSuite(open)
    enricherSuite(open)
    textFileSuite(open)
    mailIntegrationSuite(open)
    sourcesSuite(open)
    deliveryBodiesSuite(open)
    doubtsSuite(open)
    eventNamesSuite(open)
    historySuite(open)
    randomSuite(open)
    retentionSuite(open)
    sendingSuite(open)
    fairClaimsSuite(open)
    timersSuite(open)
    haltedSuite(open)
  })
}
