// Runs the suite of all buses on the memory bus.

import { type BusUnderTest, testBus } from './bus.suite.ts'
import { createMemoryBus } from './memory.ts'

testBus(async () => {
  const errors: BusUnderTest['errors'] = []
  const bus = createMemoryBus({ onListenerError: (error, topic) => errors.push({ error, topic }) })
  return { bus, other: bus, errors }
})
