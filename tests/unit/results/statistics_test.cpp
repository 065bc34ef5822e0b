#include "results/statistics/statistics.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

#include "results/database/sql_functions.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Values = std::vector<double>;

// Student's sleep data (Biometrika 6, 1908): hours gained by ten patients with two drugs.
const Values kFirstDrug = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
const Values kSecondDrug = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

/// Returns P(T <= t) by Simpson's rule on the density.
long double integrated_t(long double t, long double degrees) {
  const long double front = std::exp(std::lgamma((degrees + 1) / 2) - std::lgamma(degrees / 2)) /
                            std::sqrt(degrees * std::numbers::pi_v<long double>);
  const auto density = [&](long double x) {
    return front * std::pow(1 + x * x / degrees, -(degrees + 1) / 2);
  };
  constexpr int kParts = 20000;
  const long double width = t / kParts;
  long double sum = density(0) + density(t);
  for (int i = 1; i < kParts; ++i) sum += density(i * width) * (i % 2 ? 4 : 2);
  return 0.5L + sum * width / 3;
}

/// Returns the share of all sign choices whose sum is at least as far from 0 as the observed one.
double all_flips(const Values& values) {
  long double observed = 0;
  for (const double value : values) observed += value;
  int count = 0;
  for (unsigned choice = 0; choice < 1u << values.size(); ++choice) {
    long double sum = 0;
    for (size_t i = 0; i < values.size(); ++i) sum += choice >> i & 1 ? -values[i] : values[i];
    count += std::abs(sum) >= std::abs(observed) - 1e-9L;
  }
  return static_cast<double>(count) / (1u << values.size());
}

TEST(Statistics, OfASmallSampleByHand) {
  const Values values = {2, 4, 4, 4, 5, 5, 7, 9};
  EXPECT_EQ(mean(values), 5);
  EXPECT_EQ(median(values), 4.5);
  EXPECT_DOUBLE_EQ(*standard_deviation(values), std::sqrt(32.0 / 7));
  EXPECT_DOUBLE_EQ(*standard_error(values), std::sqrt(32.0 / 7 / 8));
  EXPECT_EQ(iqm(values), 4.5);  // of 4 4 5 5
  EXPECT_EQ(median(Values{3, 1, 2}), 2);
  EXPECT_EQ(iqm(Values{3, 1, 8}), 4);
}

TEST(Statistics, HaveNoSpreadBelowTwoValues) {
  const Values one = {3};
  EXPECT_EQ(mean(one), 3);
  EXPECT_FALSE(standard_deviation(one));
  EXPECT_FALSE(standard_error(one));
  EXPECT_FALSE(confidence95(one));
  EXPECT_FALSE(paired_t(one, one));
  EXPECT_FALSE(welch(one, kFirstDrug));
  EXPECT_FALSE(bootstrap(one));
  EXPECT_FALSE(kendall_tau(one, one));
}

RC_GTEST_PROP(Statistics, AgreeWithPlainLongDoubleSums, ()) {
  const auto whole =
      *rc::gen::suchThat(rc::gen::container<std::vector<int>>(rc::gen::inRange(-1000000, 1000000)),
                         [](const auto& list) { return list.size() > 1; });
  Values values;
  long double sum = 0, squares = 0;
  for (const int number : whole) {
    values.push_back(number / 1024.0);
    sum += values.back();
  }
  const long double center = sum / static_cast<long double>(values.size());
  for (const double value : values) squares += (value - center) * (value - center);
  const double sd =
      static_cast<double>(std::sqrt(squares / static_cast<long double>(values.size() - 1)));
  RC_ASSERT(std::abs(mean(values) - static_cast<double>(center)) <= 1e-12);
  RC_ASSERT(std::abs(*standard_deviation(values) - sd) <= 1e-12 * (1 + sd));
}

TEST(StudentT, AgreesWithTheIntegralOfItsDensity) {
  for (const double degrees : {1.0, 2.0, 3.5, 10.0, 100.0}) {
    for (const double t : {0.001, 0.5, 1.0, 2.0, 6.0}) {
      const double expected = static_cast<double>(integrated_t(t, degrees));
      EXPECT_NEAR(student_t_cdf(t, degrees), expected, 1e-12) << t << " with " << degrees;
      EXPECT_NEAR(student_t_cdf(-t, degrees), 1 - expected, 1e-12) << t << " with " << degrees;
    }
  }
  EXPECT_EQ(student_t_cdf(0, 4), 0.5);
}

// The quantiles are computed to 40 digits from closed forms: tan(pi (p - 1/2)) for 1 degree of freedom, a finite sum for even degrees.
TEST(StudentT, HasTheQuantilesOfItsClosedForms) {
  EXPECT_NEAR(student_t_quantile(0.975, 1), 12.706204736174696, 1e-11);
  EXPECT_NEAR(student_t_quantile(0.975, 2), 4.302652729749464, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.975, 10), 2.228138851986275, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.95, 30), 1.697260886593958, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.025, 10), -2.228138851986275, 1e-12);
  EXPECT_EQ(student_t_quantile(0.5, 7), 0);
}

TEST(Tests, GiveThePublishedValuesForTheSleepData) {
  EXPECT_NEAR(*paired_t(kFirstDrug, kSecondDrug), 0.00283289, 1e-8);
  EXPECT_NEAR(*welch(kFirstDrug, kSecondDrug), 0.07939414, 1e-8);
  EXPECT_NEAR(*confidence95(kFirstDrug), 1.279780, 1e-6);
  EXPECT_NEAR(*confidence(kFirstDrug, 0.975), 1.519003342637212,
              1e-12);  // R 4: t.test(x, conf.level = 0.975)
}

TEST(Tests, OfTwoSamplesOfEqualVarianceTakeSamplesOfAnySize) {
  // These are t = -1.860813467 of 18 degrees of freedom and t = -0.6858844637 of 14, by the incomplete beta function's
  // continued fraction in float64.
  EXPECT_NEAR(*student_t(kFirstDrug, kSecondDrug), 0.07918671421593838, 1e-13);
  const Values six(kSecondDrug.begin(), kSecondDrug.begin() + 6);
  EXPECT_NEAR(*student_t(kFirstDrug, six), 0.5039867083116885, 1e-13);
  EXPECT_EQ(student_t(Values{1}, Values{2, 3}), std::nullopt);
}

TEST(Tests, SayNothingWhereDifferencesDoNotVary) {
  EXPECT_EQ(paired_t(Values{1, 2}, Values{1, 2}), std::nullopt);
  EXPECT_EQ(paired_t(Values{2, 3}, Values{1, 2}), std::nullopt);
  // At both seeds one more of 277 examples is right. The differences differ by a rounding error of 7e-15.
  const Values rounded{100.0 * 101 / 277, 100.0 * 103 / 277},
      before{100.0 * 100 / 277, 100.0 * 102 / 277};
  ASSERT_NE(rounded[0] - before[0], rounded[1] - before[1]);
  EXPECT_EQ(paired_t(rounded, before), std::nullopt);
  EXPECT_LT(*paired_t(Values{2, 3 + 1e-6}, Values{1, 2}), 1e-5);
  EXPECT_EQ(welch(Values{1, 1}, Values{2, 2}), std::nullopt);
  EXPECT_EQ(student_t(Values{1, 1}, Values{2, 2}), std::nullopt);
  EXPECT_TRUE(welch(Values{1, 1}, Values{2, 3}));
}

TEST(PairedPermutation, CountsEverySignChoice) {
  Values differences;
  for (size_t i = 0; i < kFirstDrug.size(); ++i)
    differences.push_back(kFirstDrug[i] - kSecondDrug[i]);
  EXPECT_EQ(*paired_permutation(kFirstDrug, kSecondDrug), all_flips(differences));
  EXPECT_EQ(*paired_permutation(Values{1, 2, 3}, Values{0, 0, 0}), smallest_permutation_p(3));
  EXPECT_EQ(smallest_permutation_p(3), 0.25);
  EXPECT_EQ(*paired_permutation(Values{1, 1}, Values{1, 1}), 1);
}

TEST(PairedPermutation, DrawsFlipsForManyPairsAndAlwaysTheSame) {
  Values a, b;
  for (int i = 0; i < 30; ++i) {
    a.push_back(i % 7 + 0.3 * (i % 3));
    b.push_back(i % 5);
  }
  const double p = *paired_permutation(a, b);
  EXPECT_EQ(p, *paired_permutation(a, b));
  EXPECT_NEAR(p, *paired_t(a, b), 0.02);
}

TEST(Bootstrap, IsTheSameEveryTimeAndSurroundsTheMean) {
  const Interval interval = *bootstrap(kSecondDrug);
  EXPECT_EQ(interval.low, bootstrap(kSecondDrug)->low);
  EXPECT_EQ(interval.high, bootstrap(kSecondDrug)->high);
  EXPECT_NE(interval.low, bootstrap(kSecondDrug, 0.95, 10000, 1)->low);
  // For a mean the interval is near mean +- 1.96 sd/sqrt(n), where sd divides by n instead of n - 1.
  const double half = 1.96 * *standard_error(kSecondDrug) * std::sqrt(0.9);
  EXPECT_NEAR(interval.low, mean(kSecondDrug) - half, 0.1);
  EXPECT_NEAR(interval.high, mean(kSecondDrug) + half, 0.1);
}

TEST(KendallTau, CountsPairsThatAgree) {
  EXPECT_EQ(*kendall_tau(Values{1, 2, 3}, Values{10, 20, 30}), 1);
  EXPECT_EQ(*kendall_tau(Values{1, 2, 3}, Values{3, 2, 1}), -1);
  EXPECT_NEAR(*kendall_tau(Values{1, 2, 3, 4}, Values{1, 3, 2, 4}), 2.0 / 3, 1e-15);
  EXPECT_NEAR(*kendall_tau(Values{12, 2, 1, 12, 2}, Values{1, 4, 7, 1, 0}), -0.47140452079103173,
              1e-15);
  EXPECT_FALSE(kendall_tau(Values{1, 1, 1}, Values{1, 2, 3}));
}

TEST(Holm, StepsDownAndNeverFallsBehind) {
  EXPECT_THAT(holm(Values{0.01, 0.04, 0.03, 0.02}), ElementsAre(0.04, 0.06, 0.06, 0.06));
  EXPECT_THAT(holm(Values{0.6, 0.7}), ElementsAre(1, 1));
  EXPECT_TRUE(holm(Values{}).empty());
}

// The values are R 4's p.adjust(p, "BH").
TEST(BenjaminiHochberg, StepsUpAndNeverRunsAhead) {
  const Values p{0.212, 0.001, 0.041, 0.039, 0.008, 0.042, 0.06, 0.205, 0.074, 0.216};
  const Values expected{0.216, 0.01, 0.084, 0.084, 0.04, 0.084, 0.1, 0.216, 0.74 / 7, 0.216};
  const std::vector<double> q = benjamini_hochberg(p);
  ASSERT_EQ(q.size(), p.size());
  for (size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(q[i], expected[i], 1e-15) << i;
  EXPECT_THAT(benjamini_hochberg(Values{0.6, 0.7}), ElementsAre(0.7, 0.7));
  EXPECT_TRUE(benjamini_hochberg(Values{}).empty());
}

TEST(MeanCi, ShowsTwoDigitsOfItsHalfWidth) {
  EXPECT_EQ(mean_ci(Values{0.5, 0.52, 0.54}), "0.520 ± 0.050");
  EXPECT_EQ(mean_ci(Values{0.5}), "0.5");
  EXPECT_EQ(mean_ci(Values{0.5, 0.52, 0.54}, 1), "0.5 ± 0.0");
  EXPECT_EQ(mean_ci(Values{0.5}, 2), "0.50");
  EXPECT_EQ(mean_ci(Values{100, 300}), "200 ± 1271");
  EXPECT_EQ(mean_ci(Values{1e92, 3e92}), "2e+92 ± 1.3e+93");
  EXPECT_EQ(mean_ci(Values{1, 1 + 1e-14}), "1 ± 6.3e-14");
}

class SqlStatistics : public testing::Test {
 protected:
  SqlStatistics() {
    register_statistics(db);
    db.exec("CREATE TABLE t(x, y)");
    for (size_t i = 0; i < kFirstDrug.size(); ++i) {
      SQLite::Statement put(db, "INSERT INTO t VALUES(?, ?)");
      put.bind(1, kFirstDrug[i]);
      put.bind(2, kSecondDrug[i]);
      put.exec();
    }
  }
  double number(const std::string& sql) {
    return db.execAndGet("SELECT " + sql + " FROM t").getDouble();
  }
  SQLite::Database db{":memory:", SQLite::OPEN_READWRITE};
};

TEST_F(SqlStatistics, AreTheFunctionsOfTheSameNames) {
  EXPECT_EQ(number("mean(x)"), mean(kFirstDrug));
  EXPECT_EQ(number("sd(x)"), *standard_deviation(kFirstDrug));
  EXPECT_EQ(number("sem(x)"), *standard_error(kFirstDrug));
  EXPECT_EQ(number("ci95(x)"), *confidence95(kFirstDrug));
  EXPECT_EQ(number("median(x)"), median(kFirstDrug));
  EXPECT_EQ(number("iqm(x)"), iqm(kFirstDrug));
  EXPECT_EQ(number("paired_t(x, y)"), *paired_t(kFirstDrug, kSecondDrug));
  EXPECT_EQ(number("paired_permutation(x, y)"), *paired_permutation(kFirstDrug, kSecondDrug));
  EXPECT_EQ(number("welch(x, y)"), *welch(kFirstDrug, kSecondDrug));
  EXPECT_EQ(number("kendall_tau(x, y)"), *kendall_tau(kFirstDrug, kSecondDrug));
  EXPECT_EQ(number("bootstrap_low(x)"), bootstrap(kFirstDrug)->low);
  EXPECT_EQ(number("bootstrap_high(x)"), bootstrap(kFirstDrug)->high);
  EXPECT_EQ(db.execAndGet("SELECT mean_ci(x) FROM t").getString(), mean_ci(kFirstDrug));
  EXPECT_EQ(number("json_extract(bootstrap(x), '$[0]')"), bootstrap(kFirstDrug)->low);
  EXPECT_EQ(number("json_extract(bootstrap(x), '$[1]')"), bootstrap(kFirstDrug)->high);
}

TEST_F(SqlStatistics, HaveEveryFunctionThatIsDocumented) {
  for (const char* name : {"mean", "sd", "sem", "ci95", "median", "iqm", "bootstrap"}) {
    EXPECT_FALSE(db.execAndGet(fmt::format("SELECT {}(x) FROM t", name)).isNull()) << name;
  }
  for (const char* name : {"paired_t", "paired_permutation", "welch"}) {
    EXPECT_FALSE(db.execAndGet(fmt::format("SELECT {}(x, y) FROM t", name)).isNull()) << name;
  }
}

TEST_F(SqlStatistics, LeaveNullsOutAndAreNullWithoutEnoughValues) {
  db.exec("INSERT INTO t VALUES(NULL, 5)");
  EXPECT_EQ(number("mean(x)"), mean(kFirstDrug));
  EXPECT_EQ(number("paired_t(x, y)"), *paired_t(kFirstDrug, kSecondDrug));
  EXPECT_TRUE(db.execAndGet("SELECT mean(x) FROM t WHERE 0").isNull());
  EXPECT_TRUE(db.execAndGet("SELECT mean(x) FROM t WHERE x IS NULL").isNull());
  EXPECT_TRUE(db.execAndGet("SELECT sd(x) FROM t WHERE x = 3.4").isNull());
  EXPECT_TRUE(db.execAndGet("SELECT bootstrap(x) FROM t WHERE x = 3.4").isNull());
}

TEST_F(SqlStatistics, LeaveOutWhatIsTooLargeForANumber) {
  db.exec("INSERT INTO t VALUES(9e999, 5)");
  EXPECT_EQ(number("mean(x)"), mean(kFirstDrug));
  EXPECT_EQ(number("paired_t(x, y)"), *paired_t(kFirstDrug, kSecondDrug));
  EXPECT_TRUE(db.execAndGet("SELECT welch(x, -x) FROM t WHERE x > 1e300").isNull());
}

TEST_F(SqlStatistics, WorkPerGroup) {
  db.exec("DELETE FROM t; INSERT INTO t VALUES(1, 'a'), (2, 'b'), (3, 'a'), (10, 'b')");
  SQLite::Statement rows(db, "SELECT mean(x) FROM t GROUP BY y ORDER BY y");
  ASSERT_TRUE(rows.executeStep());
  EXPECT_EQ(rows.getColumn(0).getDouble(), 2);
  ASSERT_TRUE(rows.executeStep());
  EXPECT_EQ(rows.getColumn(0).getDouble(), 6);
}

TEST_F(SqlStatistics, RefuseText) {
  db.exec("INSERT INTO t VALUES('many', 1)");
  try {
    number("mean(x)");
    FAIL() << "no error";
  } catch (const SQLite::Exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("statistics need numbers, got text"));
  }
}

}  // namespace
}  // namespace rethink
