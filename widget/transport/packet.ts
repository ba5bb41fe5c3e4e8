// Packets of Socket.IO 5 as text, in the one namespace that the service has. It sends no binary ones.

export const PACKET = { connect: '0', disconnect: '1', event: '2', ack: '3', refusal: '4' } as const

export interface Packet {
  type: string
  /** Set where an answer is wanted, and in the answer. */
  id: number | undefined
  data: unknown
}

const FORM = /^([0-4])(\d*)(.*)$/s

/** Throws when the text is not a packet; the line is then of no use. */
export function parsePacket(text: string): Packet {
  const [, type = '', id, json] = FORM.exec(text) ?? []
  const data: unknown = json ? JSON.parse(json) : undefined
  const isFit =
    type === PACKET.event || type === PACKET.ack
      ? Array.isArray(data)
      : type === PACKET.refusal
        ? typeof data === 'object' && data !== null
        : type !== ''
  if (!isFit) throw new Error('not a packet')
  return { type, id: id ? Number(id) : undefined, data }
}
