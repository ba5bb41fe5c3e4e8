// Tests the storage on a real IndexedDB: databases of other versions, connections that are closed, two pages at once.

import { assert } from 'chai'
import { openStorage } from './storage.ts'

const NAME = 'notification-center'
const OWNER = JSON.stringify(['key', 'https://server', 'u1'])
const INBOX = `inbox${OWNER}`
const QUEUE = `receipts${OWNER}`

const settled = <T>(asked: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
  })

/** A database of this version with these stores; each has the records. */
async function leaveDatabase(version: number, stores: string[], records: Record<string, unknown> = {}): Promise<void> {
  const asked = indexedDB.open(NAME, version)
  asked.onupgradeneeded = () => {
    for (const name of stores) {
      const store = asked.result.createObjectStore(name)
      for (const [key, value] of Object.entries(records)) store.put(value, key)
    }
  }
  ;(await settled(asked)).close()
}

/** The database as it is now: its version, its stores, and the records of `log`. */
async function readDatabase() {
  const database = await settled(indexedDB.open(NAME))
  try {
    const stores = [...database.objectStoreNames]
    const log = stores.includes('log') ? database.transaction('log').objectStore('log') : undefined
    const keys = log ? await settled(log.getAllKeys()) : []
    return { version: database.version, stores, keys }
  } finally {
    database.close()
  }
}

const append =
  (item: string) =>
  (old: string[] = []) => [...old, item]

suite('storage', () => {
  const clear = async (): Promise<void> => {
    await settled(indexedDB.deleteDatabase(NAME))
  }
  setup(clear)
  teardown(clear)

  test('a database of the last release, with inbox and delivery events, is read as it is', async () => {
    const inbox = { userId: 'u1', head: { epoch: 'e', seq: 3 }, changes: [], list: { messages: [] } }
    await leaveDatabase(2, ['log'], { [INBOX]: inbox, [QUEUE]: ['event'] })
    const storage = openStorage()
    assert.deepEqual(await storage.get(INBOX), inbox)
    assert.deepEqual(await storage.get(QUEUE), ['event'])
    // Other tests may have left cached counts.
    assert.includeMembers(await storage.keys(), [INBOX, QUEUE])
    assert.deepEqual(await readDatabase(), { version: 2, stores: ['log'], keys: [INBOX, QUEUE] })
  })

  test('a new database is one that the last release opens', async () => {
    await openStorage().update(QUEUE, append('event'))
    assert.deepEqual(await readDatabase(), { version: 2, stores: ['log'], keys: [QUEUE] })
  })

  test('a database of version 1 loses its inboxes and keeps its delivery events', async () => {
    await leaveDatabase(1, ['log'], { [INBOX]: 'of another form', [QUEUE]: ['event'] })
    const storage = openStorage()
    assert.isUndefined(await storage.get(INBOX))
    assert.deepEqual(await storage.get(QUEUE), ['event'])
    assert.deepEqual(await readDatabase(), { version: 2, stores: ['log'], keys: [QUEUE] })
  })

  for (const stores of [[], ['inbox']]) {
    test(`a database of version 1 without the store, with ${stores.length} others, gets it`, async () => {
      await leaveDatabase(1, stores, { [INBOX]: 'of another form' })
      const storage = openStorage()
      await storage.update(QUEUE, append('event'))
      assert.isUndefined(await storage.get(INBOX))
      assert.deepEqual(await readDatabase(), { version: 2, stores: [...stores, 'log'], keys: [QUEUE] })
    })
  }

  for (const [version, stores] of [
    [2, []],
    [9, ['log']],
  ] as const) {
    test(`a database of version ${version} with ${stores.length} stores is left alone, and memory serves`, async () => {
      await leaveDatabase(version, [...stores], { [QUEUE]: 'of another form' })
      const before = await readDatabase()
      const storage = openStorage()
      assert.isUndefined(await storage.get(QUEUE))
      await storage.update(QUEUE, append('event'))
      assert.deepEqual(await storage.get(QUEUE), ['event'])
      assert.deepEqual(await readDatabase(), before)
      // No connection is left that would hold up another version.
      await leaveDatabase(version + 1, [])
    })
  }

  test('a newer version that comes while the page is open is not held up, and memory serves from then on', async () => {
    const storage = openStorage()
    await storage.update(INBOX, append('a'))
    await leaveDatabase(9, [])
    await storage.update(INBOX, append('b'))
    assert.deepEqual(await storage.get(INBOX), ['b'])
    assert.equal((await readDatabase()).version, 9)
  })

  test('a database that is deleted while the page is open is made anew', async () => {
    const storage = openStorage()
    await storage.update(QUEUE, append('a'))
    await settled(indexedDB.deleteDatabase(NAME))
    await storage.update(QUEUE, append('b'))
    assert.deepEqual(await storage.get(QUEUE), ['b'])
    assert.deepEqual(await readDatabase(), { version: 2, stores: ['log'], keys: [QUEUE] })
  })

  test('while a page of an older version holds the database, memory serves', async () => {
    await leaveDatabase(1, ['log'])
    const held = await settled(indexedDB.open(NAME))
    const storage = openStorage()
    await storage.update(QUEUE, append('event'))
    assert.deepEqual(await storage.get(QUEUE), ['event'])
    held.close()
    assert.deepEqual((await readDatabase()).keys, [])
  })

  test('two pages that update the same key lose nothing', async () => {
    const pages = [openStorage(), openStorage()]
    await Promise.all(Array.from({ length: 20 }, (_, at) => pages[at % 2]?.update(QUEUE, append(`${at}`))))
    assert.lengthOf((await pages[0]?.get<string[]>(QUEUE)) ?? [], 20)
  })

  test('a value of undefined removes the key, unless another page writes one meanwhile', async () => {
    const pages = [openStorage(), openStorage()]
    await pages[0]?.update(QUEUE, append('a'))
    await pages[0]?.update(QUEUE, () => undefined)
    assert.deepEqual((await readDatabase()).keys, [])
    await Promise.all([
      pages[0]?.update(QUEUE, () => undefined),
      pages[1]?.update(QUEUE, append('b')),
      pages[0]?.update(QUEUE, (old) => old),
    ])
    assert.deepEqual(await pages[1]?.get(QUEUE), ['b'])
  })
})
