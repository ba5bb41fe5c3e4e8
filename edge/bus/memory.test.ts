// The memory bus runs the suite of all buses.

import { type BusUnderTest, testBus } from './bus.suite.ts'
import { createMemoryBus } from './memory.ts'

testBus(async () => {
  const errors: BusUnderTest['errors'] = []
  const bus = createMemoryBus({ onListenerError: (error, topic) => errors.push({ error, topic }) })
  return { bus, other: bus, errors }
})
