// What the widget has yet to tell the service, as its store in a page has it.

/** Runs in the page: how many delivery events wait in the store. */
export function queued(): Promise<number> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('notification-center')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const asking = opening.result.transaction('log').objectStore('log').getAll(IDBKeyRange.lowerBound('receipts'))
      asking.onsuccess = () => {
        opening.result.close()
        resolve(asking.result.flat().length)
      }
    }
  })
}
