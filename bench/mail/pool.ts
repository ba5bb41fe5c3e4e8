// Runs nodemailer's own pool as a process: sends one composed mail again and again.

import { createTransport, type SendMailOptions } from 'nodemailer'

export interface PoolTask {
  port: number
  connections: number
  mail: SendMailOptions
}

/** Answered with `sent`. */
export interface PoolCommand {
  count: number
}

const { port, connections, mail } = JSON.parse(process.argv[2] ?? '') as PoolTask
const transport = createTransport({
  pool: true,
  maxConnections: connections,
  host: '127.0.0.1',
  port,
  ignoreTLS: true,
})

/** Keeps every connection busy. */
async function send(count: number): Promise<void> {
  let left = count
  const loop = async () => {
    while (left > 0) {
      left -= 1
      await transport.sendMail(mail)
    }
  }
  await Promise.all(Array.from({ length: connections * 2 }, loop))
}

process.on('message', ({ count }: PoolCommand) => {
  send(count).then(
    () => process.send?.('sent'),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.send?.('ready')
