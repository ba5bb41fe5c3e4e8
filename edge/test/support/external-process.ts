// Runs the command line's functions in a child process on the store of its settings, as its parent requests.

import { createCommandContext } from '../../cli/command-context.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { ExternalAnswer, ExternalCall } from './given-external-process.ts'

type Callable = Record<string, unknown>

const context = createCommandContext(process.env)
const tools = await context.tools()

process.on('message', async ({ id, path, args, routes }: ExternalCall) => {
  const reply = (answer: Omit<ExternalAnswer, 'id'>) => process.send?.({ id, ...answer })
  try {
    const names = [...path]
    const method = names.pop() ?? ''
    const begin = routes === undefined ? tools : tools.operator[routes[0]](routes[1])
    const owner = names.reduce<unknown>((value, name) => (value as Callable)[name], begin) as Callable
    reply({ value: await (owner[method] as (...given: unknown[]) => unknown)(...args) })
  } catch (error) {
    reply({ error: error instanceof ApiError ? error.code : String(error) })
  }
})
process.on('disconnect', () => void context.close())
process.send?.({ id: 0 })
