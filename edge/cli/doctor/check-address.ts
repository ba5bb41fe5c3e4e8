// Asks the server's port and PUBLIC_URL for `nc doctor`, the latter for a start too: whether this service answers there, below that path.

import { hostInUrl, type Settings } from '../../config.ts'
import { codeOf } from './explain-fault.ts'
import { type Finding, finding } from './finding.ts'

const WAIT_MS = 3000

/** `other`: something answers that is not this service. */
type Answerer = { is: 'this service' } | { is: 'other'; status: number } | { is: 'nobody'; code: string }

/** A proxy may not know yet that the server has started: its own errors are no finding. */
export async function checkAddressAtStart({ publicUrl }: Pick<Settings, 'publicUrl'>): Promise<Finding[]> {
  if (publicUrl === null) return []
  const answerer = await ask(publicUrl)
  return answerer.is === 'other' && answerer.status >= 500 ? [] : [pathFinding(publicUrl, answerer)]
}

/** @param isInUse Whether a server works on the store. */
export async function checkAddress(settings: Settings, isInUse: boolean): Promise<Finding[]> {
  const own = `http://${hostInUrl(settings)}:${settings.port}`
  return [
    ...(settings.port === 0 ? [] : [portFinding(own, await ask(own), isInUse)]),
    ...(settings.publicUrl === null || !isInUse
      ? []
      : [pathFinding(settings.publicUrl, await ask(settings.publicUrl))]),
  ]
}

function portFinding(address: string, answerer: Answerer, isInUse: boolean): Finding {
  if (answerer.is === 'other') {
    return finding('Port', 'wrong', `Another program answers at ${address}. Stop it, or set another PORT.`)
  }
  if (answerer.is === 'this service') return finding('Port', 'ok', `This service answers at ${address}.`)
  if (!isInUse) return finding('Port', 'ok', `Nothing listens at ${address}.`)
  const words = `A server works on the store, and none answers at ${address} (${answerer.code}).`
  return finding('Port', 'note', `${words} It runs on another machine, or with another HOST or PORT.`)
}

function pathFinding(publicUrl: string, answerer: Answerer): Finding {
  if (answerer.is === 'this service') return finding('Public address', 'ok', `This service answers at ${publicUrl}.`)
  if (answerer.is === 'nobody') {
    const words = `Nothing answers at ${publicUrl} from this machine (${answerer.code}).`
    return finding('Public address', 'note', `${words} Look whether browsers reach it.`)
  }
  const words = `What answers at ${publicUrl} is not this service (${answerer.status} at /healthz below it).`
  return finding('Public address', 'wrong', `${words} Correct PUBLIC_URL, its path too, or the proxy.`)
}

async function ask(address: string): Promise<Answerer> {
  try {
    const answer = await fetch(`${address}/healthz`, { redirect: 'manual', signal: AbortSignal.timeout(WAIT_MS) })
    const body: unknown = await answer.json().catch(() => undefined)
    const isOurs = typeof body === 'object' && body !== null && 'status' in body && body.status === 'alive'
    return isOurs ? { is: 'this service' } : { is: 'other', status: answer.status }
  } catch (error) {
    return { is: 'nobody', code: codeOf(error) || 'no answer' }
  }
}
