// Wires everything that answers calls, without a port and without background work: for the server, and for commands.

import { createLoadShedding } from '../http/limits/load-shedding.ts'
import { createSandbox } from '../sandbox/sandbox.ts'
import type { AppDeps } from './core.ts'
import { wireAuth } from './wire-auth.ts'
import { wireConnectors } from './wire-connectors.ts'
import { createCore } from './wire-core.ts'
import { wireEnrichers } from './wire-enrichers.ts'
import { wireFlows } from './wire-flows.ts'
import { wireCounting } from './wire-limits.ts'
import { wireMail } from './wire-mail.ts'
import { wirePeople } from './wire-people.ts'
import type { WorkSignals } from './work-signals.ts'

export type Wired = ReturnType<typeof wireServices>

/** Reads nothing yet. @param signals Tell the background work what has become due. */
export function wireServices(deps: AppDeps, signals: WorkSignals) {
  const { stores, log, metrics } = deps
  const sandbox = createSandbox({ log, onTask: metrics.onSandboxTask, onEnd: metrics.onSandboxEnd })
  const core = createCore(deps, sandbox, signals)
  const auth = wireAuth(core)
  const enrichers = wireEnrichers(core, auth)
  const flows = wireFlows(core, enrichers, signals)
  const mail = wireMail(core, flows, auth)
  const loadShedding = createLoadShedding({ backlog: stores.commit.backlog, limits: deps.loadLimits })
  const connectors = wireConnectors(core, auth, flows, loadShedding, signals)
  const counting = wireCounting(deps)
  const people = wirePeople(core, auth, counting.counter)
  return {
    ...{ core, auth, enrichers, flows, mail, loadShedding, connectors, people },
    counter: counting.counter,
    /** Ends what is still to be sent or written, and closes all connections but those of the store. Stop `enrichers` before. */
    async close() {
      await Promise.all([mail.close(), people.close(), connectors.close()])
      await core.countDoubts.settle()
      await core.learnEvents.settle()
      await auth.outbound.close()
      flows.live.close()
      sandbox.close()
      counting.close()
      await core.bus.close()
    },
  }
}
