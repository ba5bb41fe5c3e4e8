// Writes down the mails that an SMTP server took, and compares them with the records of the deliveries.

import type { DeliveryRecordAnswer } from '../../../contract/resources/delivery.ts'
import type { Behaviour, GivenSmtp } from './given-smtp.ts'

/** The SMTP server as a ledger: it outlives the servers that send mails to it. */
export interface MailLedger {
  /** Lets the SMTP server behave badly at random, or take everything. */
  setMoody(isMoody: boolean): void
  /** Lets the server take the mails to which it has given no answer. Call it when their client has ended. */
  takeHeld(): void
  /** Compares what was taken with all records of mails. */
  compare(records: DeliveryRecordAnswer[]): MailCounts
}

export interface MailCounts {
  records: number
  /** Mails that the SMTP server took. */
  accepted: number
  sent: number
  /** Records without a known outcome, and how many of them the SMTP server took. */
  outcomeUnknown: number
  outcomeUnknownAccepted: number
  /** Of those without a known outcome, how many a kill has interrupted. */
  interrupted: number
  /** Refused for good. */
  refused: number
  /** Sent after more than one attempt. */
  repeated: number
  /** Ids of messages that the SMTP server took more than once. */
  doubled: string[]
  /** Ids of messages that are recorded as sent, although the SMTP server has no mail. */
  lost: string[]
  /** Ids of mails without a record, or whose record gives no reason. */
  unexplained: string[]
  /** Ids of messages without an end. */
  open: string[]
}

const BUSY = { code: 451, message: 'Later, please' }
const REFUSED = { code: 550, message: 'Not this one' }
/** Shares of a moody server, the rest it takes: large enough that each comes up among some hundred mails. */
const MOODS: readonly [share: number, mood: Behaviour | 'hold'][] = [
  [0.05, BUSY],
  [0.04, REFUSED],
  [0.01, 'cut'],
  [0.01, 'drop'],
  [0.04, 'hold'],
]
const BUSY_AT_RECIPIENT = 0.03

export function createMailLedger(smtp: GivenSmtp, random: () => number): MailLedger {
  const accepted = new Map<string, number>()
  const held: (() => void)[] = []

  function chooseMood(): Behaviour | 'hold' {
    let rest = random()
    for (const [share, mood] of MOODS) {
      rest -= share
      if (rest < 0) return mood
    }
    return 'take'
  }

  async function behave(): Promise<Behaviour> {
    const mood = chooseMood()
    if (mood !== 'hold') return mood
    await new Promise<void>((resolve) => held.push(resolve))
    return 'take'
  }

  /** Moves mails from the memory of the server into the ledger. */
  function collect(): void {
    for (const { parsed } of smtp.mails.splice(0)) {
      const id = (parsed.messageId ?? '').replace(/^<|@.*$/g, '')
      accepted.set(id, (accepted.get(id) ?? 0) + 1)
    }
  }

  return {
    setMoody(isMoody) {
      smtp.behave = isMoody ? behave : () => 'take'
      smtp.refuse = () => (isMoody && random() < BUSY_AT_RECIPIENT ? BUSY : null)
    },
    takeHeld() {
      for (const take of held.splice(0)) take()
      collect()
    },
    compare(records) {
      collect()
      return compareMails(accepted, records)
    },
  }
}

function compareMails(accepted: ReadonlyMap<string, number>, records: DeliveryRecordAnswer[]): MailCounts {
  const byId = new Map(records.map((record) => [record.messageId, record]))
  const isUnknown = (record: DeliveryRecordAnswer | undefined) =>
    record?.status === 'failed' && record.statusReason === 'outcome-unknown'
  const isSent = (record: DeliveryRecordAnswer | undefined) => record?.status === 'sent'
  const unknown = records.filter(isUnknown)
  const sent = records.filter(isSent)
  const idsOf = (list: DeliveryRecordAnswer[]) => list.map(({ messageId }) => messageId)
  return {
    records: records.length,
    accepted: [...accepted.values()].reduce((sum, count) => sum + count, 0),
    sent: sent.length,
    outcomeUnknown: unknown.length,
    outcomeUnknownAccepted: unknown.filter(({ messageId }) => accepted.has(messageId)).length,
    interrupted: unknown.filter(({ lastError }) => lastError?.startsWith('the process ended')).length,
    refused: records.filter(({ statusReason }) => statusReason === 'provider-error').length,
    repeated: sent.filter(({ attempts }) => attempts > 1).length,
    doubled: [...accepted].filter(([, count]) => count > 1).map(([id]) => id),
    lost: idsOf(sent.filter(({ messageId }) => !accepted.has(messageId))),
    unexplained: [...accepted.keys()].filter((id) => !isSent(byId.get(id)) && !isUnknown(byId.get(id))),
    open: idsOf(records.filter(({ status }) => status !== 'sent' && status !== 'failed')),
  }
}
