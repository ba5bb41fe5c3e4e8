// Wires everything that answers calls, without a port and without background work: for the server, and for commands.

import { createMailFiles } from '../email/mail-files.ts'
import { createCommitPlan } from '../flow/commit.ts'
import { createCountDoubts } from '../flow/doubts/count-doubts.ts'
import { createRetentionWatch } from '../flow/retention/retention-watch.ts'
import { createLoadShedding } from '../http/limits/load-shedding.ts'
import { createSandbox } from '../sandbox/sandbox.ts'
import { type AppDeps, type Core, createIds } from './core.ts'
import { wireAuth } from './wire-auth.ts'
import { wireBus } from './wire-bus.ts'
import { wireConnectors } from './wire-connectors.ts'
import { wireEnrichers } from './wire-enrichers.ts'
import { type WorkSignals, wireFlows } from './wire-flows.ts'
import { wireCounting } from './wire-limits.ts'
import { wireMail } from './wire-mail.ts'
import { wirePeople } from './wire-people.ts'

export type Wired = ReturnType<typeof wireServices>

/** Reads nothing yet. @param signals Tell the background work what has become due. */
export function wireServices(deps: AppDeps, signals: WorkSignals) {
  const { stores, log, metrics } = deps
  const core = createCore(deps, signals)
  const auth = wireAuth(core)
  const enrichers = wireEnrichers(core, auth)
  const sandbox = createSandbox({ log, onTask: metrics.onSandboxTask, onEnd: metrics.onSandboxEnd })
  const flows = wireFlows(core, enrichers, sandbox, signals)
  const mail = wireMail(core, auth, flows, sandbox)
  const loadShedding = createLoadShedding({ backlog: stores.commit.backlog, limits: deps.loadLimits })
  const connectors = wireConnectors(core, auth, flows, loadShedding, signals)
  const counting = wireCounting(deps)
  const people = wirePeople(core, auth, counting.counter, mail.mailProviders)
  return {
    ...{ core, auth, enrichers, sandbox, flows, mail, loadShedding, connectors, people },
    counter: counting.counter,
    /** Ends what is still to be sent or written, and closes all connections but those of the store. Stop `enrichers` before. */
    async close() {
      await Promise.all([mail.close(), people.close(), connectors.close()])
      await core.countDoubts.settle()
      await auth.outbound.close()
      flows.live.close()
      sandbox.close()
      counting.close()
      await core.bus.close()
    },
  }
}

function createCore(deps: AppDeps, signals: WorkSignals): Core {
  const { stores, clock, log, metrics } = deps
  const bus = wireBus(deps)
  const commitPlan = createCommitPlan({ ...stores, bus, ...signals, onMessages: metrics.onMessages })
  const mailFiles = createMailFiles(deps.settings, stores.mailbox)
  const countDoubts = createCountDoubts({ doubts: stores.doubts, clock, log })
  const retention = createRetentionWatch(clock)
  return { ...deps, bus, ids: createIds(clock, stores), commitPlan, mailFiles, countDoubts, retention }
}
