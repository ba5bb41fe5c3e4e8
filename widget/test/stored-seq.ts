// Up to where this browser has kept the inbox of a user.

/** Runs in the page: the user's inbox is on disk, with its rows. */
export async function storedSeq(userId: string): Promise<number> {
  const opening = indexedDB.open('notification-center')
  const stored = await new Promise<{ head: { seq: number } } | undefined>((resolve) => {
    opening.onsuccess = () => {
      const store = opening.result.transaction('log').objectStore('log')
      const asking = store.getAllKeys()
      asking.onsuccess = () => {
        const key = asking.result.map(String).find((name) => name.startsWith('inbox') && name.includes(`"${userId}"`))
        if (key === undefined) return resolve(undefined)
        const getting = store.get(key)
        getting.onsuccess = () => resolve(getting.result)
      }
    }
  })
  opening.result.close()
  return stored?.head.seq ?? 0
}
