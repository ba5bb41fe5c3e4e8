// Asks whether something exists, before a PUT that would replace it.

import { ApiFailure } from './client.ts'

/** @returns false when reading it is refused with this code. @throws any other failure */
export async function isFound(reading: Promise<unknown>, notFound: string): Promise<boolean> {
  try {
    await reading
    return true
  } catch (error) {
    if (error instanceof ApiFailure && error.body.code === notFound) return false
    throw error
  }
}
