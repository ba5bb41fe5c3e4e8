// Wires the core, which all parts of the service share.

import { createFindTexts } from '../auth/find-texts.ts'
import { createLinkTokens } from '../auth/link-token.ts'
import { newSecretValue } from '../auth/new-secret.ts'
import { regionsOf } from '../config.ts'
import { connectors } from '../connectors/connectors.ts'
import { createMailFiles } from '../email/mail-files.ts'
import { createMailProviders } from '../email/providers/mail-providers.ts'
import { createCommitPlan } from '../flow/commit.ts'
import { createCountDoubts } from '../flow/doubts/count-doubts.ts'
import { createLearnEvents } from '../flow/event-names/learn-events.ts'
import { createRetentionWatch } from '../flow/retention/retention-watch.ts'
import { createGuardedFetch } from '../lib/outbound/guarded-fetch.ts'
import { createSealer } from '../lib/seal.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { type AppCore, type AppDeps, createIds } from './core.ts'
import { wireBus } from './wire-bus.ts'
import { wireComposer } from './wire-composer.ts'
import { traceCommits } from './wire-traces.ts'
import type { WorkSignals } from './work-signals.ts'

/** Makes the parts that all others take. @param signals Tell the background work what has become due. */
export function createCore(deps: AppDeps, sandbox: Sandbox, signals: WorkSignals): AppCore {
  const { settings, stores, masterKeys, clock, log, metrics, publicUrl, findTexts = createFindTexts() } = deps
  const bus = wireBus(deps)
  const sealer = createSealer(masterKeys)
  const mailFiles = createMailFiles(settings, stores.mailbox)
  const linkTokens = createLinkTokens(masterKeys, settings.region)
  const mailOutbound = createGuardedFetch({ allow: settings.outboundAllow, ...deps.outbound })
  const providersOfMail = { fetch: mailOutbound.fetch, allow: settings.outboundAllow }
  const countDoubts = createCountDoubts({ ...stores, clock, log })
  const learnEvents = createLearnEvents({ ...stores, log })
  return {
    ...deps,
    ...stores,
    bus,
    ids: createIds(clock, stores),
    regions: regionsOf(settings, publicUrl),
    region: settings.region,
    newSecretValue,
    sealer,
    seal: sealer.seal,
    open: sealer.open,
    commitPlan: traceCommits(
      deps.traces,
      createCommitPlan({ ...stores, bus, ...signals, onMessages: metrics.onMessages }),
    ),
    countDoubts,
    recordDoubt: countDoubts.record,
    learnEvents,
    learnEvent: learnEvents.learn,
    connectors,
    findTexts,
    sandbox,
    mailFiles,
    sweepMailFiles: mailFiles.sweep,
    linkTokens,
    mailOutbound,
    mailProviders: deps.mailProviders ?? createMailProviders(providersOfMail),
    compose: wireComposer(publicUrl, linkTokens, sandbox).compose,
    retentionWatch: createRetentionWatch(clock),
  }
}
