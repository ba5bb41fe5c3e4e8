// Completes package-lock.json after an `npm install` from a registry that lacks packages of some platforms.

import { readFileSync, writeFileSync } from 'node:fs'
import { findMissing, type Lockfile } from './lock.ts'

const FILE = 'package-lock.json'
const lock = JSON.parse(readFileSync(FILE, 'utf8')) as Lockfile
const missing = findMissing(lock)
const entries = [...Object.entries(lock.packages), ...missing].sort(([a], [b]) => (a < b ? -1 : 1))
lock.packages = Object.fromEntries(entries)
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`)
process.stdout.write(`${missing.size} entries added\n`)
