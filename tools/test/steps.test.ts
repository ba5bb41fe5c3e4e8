// Tests that steps and projects are selected by name, and that each project belongs to exactly one command.

import { expect, test } from 'vitest'
import config from '../../vitest.config.ts'
import { DEEP, RELEASE, type Stage, select, TEST } from './steps.ts'

const chosen = (names: string[]) => select(TEST, names).flat(2)

test('without names all steps run, with names those alone', () => {
  expect(select(TEST, [])).toBe(TEST)
  expect(chosen(['types', 'element']).map(({ name }) => name)).toEqual(['types', 'element'])
})

test('a project is a part of its step', () => {
  const [step, ...others] = chosen(['unit'])
  expect(others).toEqual([])
  expect(step?.args('/cases').filter((arg) => arg.startsWith('--project'))).toEqual(['--project=unit'])
})

test('an unknown name is refused with the names there are', () => {
  expect(() => select(TEST, ['cluster'])).toThrow(/no step cluster; there are build, .*unit-own/)
})

test('each project of vitest runs by one of the three commands', () => {
  const projects = (config.test?.projects ?? []).map((one) => (one as { test: { name: string } }).test.name)
  const groupsOf = (stages: Stage[]) => stages.flat(2).flatMap(({ name, groups }) => (name === 'seeds' ? [] : groups))
  const run = [...groupsOf(TEST), ...groupsOf(DEEP), ...groupsOf(RELEASE)]
  expect(run.filter((name) => name !== 'element').sort()).toEqual(projects.sort())
})
