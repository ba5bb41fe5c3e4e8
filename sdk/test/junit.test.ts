// Tests that cases of Surefire and PHPUnit are read with what became of them.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { casesOf, readJUnit } from './junit.ts'

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
  expect(casesOf(xml)).toEqual([
    { name: 'TokensTest › passes', outcome: 'passed', failure: '' },
    { name: 'TokensTest › differs "x"', outcome: 'failed', failure: 'expected: <1> but was: <2>\nmore' },
    { name: 'TokensTest › throws', outcome: 'failed', failure: 'java.lang.IllegalStateException\n\tat x' },
    { name: 'TokensTest › waits', outcome: 'skipped', failure: '' },
  ])
})

test('a report of PHPUnit, whose suites are nested', () => {
  const xml = `<testsuites><testsuite name="all"><testsuite name="Tests\\TokensTest">
    <testcase name="testA with data set &quot;x&quot;" file="/t.php" line="1" class="Tests\\TokensTest" classname="Tests.TokensTest" assertions="1" time="0.1"/>
    <testcase name="testB" class="Tests\\TokensTest"><failure type="E">Tests\\TokensTest::testB
Failed asserting.</failure></testcase>
  </testsuite></testsuite></testsuites>`
  expect(casesOf(xml)).toMatchObject([
    { name: 'TokensTest › testA with data set "x"', outcome: 'passed' },
    { name: 'TokensTest › testB', outcome: 'failed', failure: 'Tests\\TokensTest::testB\nFailed asserting.' },
  ])
})

test('all files of the folders are read, and a missing folder has none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nc-junit-'))
  for (const name of ['TEST-a.xml', 'TEST-b.xml']) writeFileSync(join(folder, name), '<testcase name="a"/>')
  writeFileSync(join(folder, 'a.txt'), '<testcase name="a"/>')
  expect(readJUnit([folder, join(folder, 'missing')]).map(({ outcome }) => outcome)).toEqual(['passed', 'passed'])
  rmSync(folder, { recursive: true })
})
