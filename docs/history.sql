-- Reads the rows of `robots verdicts --warc … --agent GPTBot`. For each month: the number of hosts, the shares of the
-- usable files that disallow the crawler everywhere, in part and nowhere (in percent), the hosts whose answer changed since
-- their response before, and the hosts without a usable file.
with responses as (
  select url, date_trunc('month', date) as month, access, verdicts[1].disallowed as disallowed
  from read_json('rows.jsonl', columns = {
    url: 'varchar', date: 'timestamp', access: 'varchar', error: 'varchar',
    verdicts: 'struct(agent varchar, disallowed varchar)[]'
  })
  where error is null
), compared as (
  select *, lag(disallowed) over (partition by url order by month) as before from responses
)
select
  strftime(month, '%Y-%m') as month,
  count(*) as hosts,
  round(100 * avg((disallowed = 'everywhere')::int) filter (access = 'conditional-allow'), 1) as everywhere,
  round(100 * avg((disallowed = 'in-part')::int) filter (access = 'conditional-allow'), 1) as in_part,
  round(100 * avg((disallowed = 'nowhere')::int) filter (access = 'conditional-allow'), 1) as nowhere,
  count(*) filter (before <> disallowed) as changed,
  count(*) filter (access is distinct from 'conditional-allow') as no_file
from compared
group by all
order by month;
