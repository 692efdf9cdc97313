"""Computes verdicts with Spark: each partition is the input of one `robots verdicts`.

    spark_verdicts.py MASTER COMMAND INPUT OUTPUT
"""

import sys

from pyspark.sql import SparkSession

master, command, source, target = sys.argv[1:]
spark = SparkSession.builder.master(master).appName("robots.txt verdicts").getOrCreate()
lines = spark.sparkContext.textFile(source, minPartitions=8)
lines.pipe(f"{command} verdicts", checkCode=True).saveAsTextFile(target)
spark.stop()
