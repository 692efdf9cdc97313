"""Joins a table of robots.txt files with a table of URLs by host, and adds the verdict on each URL.

    spark_verdicts.py MASTER ROBOTS.parquet URLS.parquet VERDICTS.parquet
"""

import sys

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.functions import arrow_udf, lit
from pyspark.sql.types import BooleanType

from robots_verdicts import arrow


@arrow_udf(BooleanType())
def allowed(robots_txt: pa.Array, agent: pa.Array, url: pa.Array) -> pa.Array:
    return pa.array(arrow.verdicts(robots_txt, agent, url, threads=1))


master, files, urls, verdicts = sys.argv[1:]
spark = SparkSession.builder.master(master).appName("robots.txt verdicts").getOrCreate()
asked = spark.read.parquet(urls).join(spark.read.parquet(files), "host", "left")
asked = asked.withColumn("allowed", allowed("robots_txt", lit("examplebot"), "url"))
asked.select("url", "allowed").write.parquet(verdicts)
spark.stop()
