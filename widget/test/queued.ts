// What the widget has yet to tell the service, as its store in a page has it.

/** Runs in the page: how many delivery events of this type wait in the store. */
export function queued(eventType: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('notification-center')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const asking = opening.result.transaction('log').objectStore('log').getAll(IDBKeyRange.lowerBound('receipts'))
      asking.onsuccess = () => {
        opening.result.close()
        resolve(asking.result.flat().filter((each) => each.eventType === eventType).length)
      }
    }
  })
}
