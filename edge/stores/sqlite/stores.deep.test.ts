// Runs the store suite over SQLite with libsql, which a server takes where better-sqlite3 could not be installed.

import { storeSuite } from '../test/store.suite.ts'
import { openSqliteStores } from './stores.ts'

storeSuite('SQLite (libsql)', (options) => openSqliteStores({ ...options, driver: 'libsql' }))
