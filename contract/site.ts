// Defines the address of a customer's site, at which paths begin.

import { isWebAddress, safeLink } from './link.ts'

/** Without query and fragment, as paths follow it. */
export const SITE_URL = /^https?:\/\/[^\s?#\\@]+$/i

/** @returns why paths cannot begin at the address; undefined when they can */
export function findSiteFault(siteUrl: string): string | undefined {
  const isSite = SITE_URL.test(siteUrl) && isWebAddress(siteUrl) && safeLink(siteUrl) === siteUrl
  return isSite
    ? undefined
    : 'This must be the https (or http) address of a site, without query, such as https://shop.example.'
}
