// Tests that cases of Surefire and PHPUnit are counted, with the first line of a failure.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Counts } from './counts.ts'
import { addCases, countJUnit } from './junit-results.ts'

function countsOf(xml: string): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] }
  addCases(counts, xml)
  return counts
}

test('a report of Surefire', () => {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="org.example.TokensTest" tests="4" errors="1" skipped="1" failures="1">
  <properties><property name="a" value="&lt;testcase/&gt;"/></properties>
  <testcase name="passes" classname="org.example.TokensTest" time="0.1"/>
  <testcase name="differs &quot;x&quot;" classname="org.example.TokensTest" time="0.1">
    <failure message="expected: &lt;1&gt; but was: &lt;2&gt;&#10;more" type="org.opentest4j.AssertionFailedError"><![CDATA[org.opentest4j: <testcase name="no">
	at x]]></failure>
    <system-out><![CDATA[<testcase name="printed"/>]]></system-out>
  </testcase>
  <testcase name="throws" classname="org.example.TokensTest" time="0.1">
    <error type="java.lang.IllegalStateException"><![CDATA[java.lang.IllegalStateException
	at x]]></error>
  </testcase>
  <testcase name="waits" classname="org.example.TokensTest" time="0"><skipped/></testcase>
</testsuite>`
  expect(countsOf(xml)).toEqual({
    passed: 1,
    failed: 2,
    skipped: 1,
    failures: [
      'TokensTest › differs "x": expected: <1> but was: <2>',
      'TokensTest › throws: java.lang.IllegalStateException',
    ],
  })
})

test('a report of PHPUnit, whose suites are nested', () => {
  const xml = `<testsuites><testsuite name="all"><testsuite name="Tests\\TokensTest">
    <testcase name="testA with data set &quot;x&quot;" file="/t.php" line="1" class="Tests\\TokensTest" classname="Tests.TokensTest" assertions="1" time="0.1"/>
    <testcase name="testB" class="Tests\\TokensTest"><failure type="E">Tests\\TokensTest::testB
Failed asserting.</failure></testcase>
  </testsuite></testsuite></testsuites>`
  expect(countsOf(xml)).toMatchObject({ passed: 1, failed: 1 })
})

test('all files of the folders count, and no file is no result', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nc-junit-'))
  expect(countJUnit([folder, join(folder, 'missing')])).toBeUndefined()
  for (const name of ['TEST-a.xml', 'TEST-b.xml']) writeFileSync(join(folder, name), '<testcase name="a"/>')
  writeFileSync(join(folder, 'a.txt'), '<testcase name="a"/>')
  expect(countJUnit([folder])).toMatchObject({ passed: 2, failed: 0 })
  rmSync(folder, { recursive: true })
})
