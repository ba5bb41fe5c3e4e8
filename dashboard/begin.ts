// Asks for the first data of the page while its other scripts are loading: on a slow line the page needs one round trip less.

import { deliveriesAddress, environmentsAddress, ME, statsAddress, withQuery } from './api/addresses.ts'
import { readEarly } from './api/early-answers.ts'
import { formatTime } from './lib/format.ts'
import { keptEnvironment } from './lib/kept-environment.ts'
import { firstQuery, parseFilters } from './pages/history/filters.ts'
import { homeQuery } from './pages/home/home-query.ts'
import { isPublic, parseRoute } from './routing/routes.ts'

const route = parseRoute(location.pathname)
const { page, org } = route

if (org !== undefined) {
  const query = new URLSearchParams(location.search)
  const environment = query.get('env') ?? keptEnvironment(org)
  if (page === 'inbox' && environment !== undefined) {
    readEarly(withQuery(deliveriesAddress(environment), firstQuery(parseFilters(query))))
  }
  if (page === 'home' && environment !== undefined) {
    readEarly(withQuery(statsAddress(environment, 'series'), homeQuery(query)))
    readEarly(statsAddress(environment, 'online'))
  }
  readEarly(environmentsAddress(org))
}
if (!isPublic(route)) readEarly(ME)
// The first time takes a slow device 50 ms, in which it would wait for the line.
if (page === 'inbox') formatTime(new Date().toISOString())
